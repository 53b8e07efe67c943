"""What people see: the report's page in a browser, and the screens of commands."""
