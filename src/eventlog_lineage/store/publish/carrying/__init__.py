"""What a new version takes over from older ones, and what becomes of those.

Here belongs what decides how an unchanged file gets into a new version (moved, linked, copied), and which folders of
older versions stay on the disk. The content of files is written by the modules of `publish`.
"""
