# eventlog-lineage with Java and PySpark: harvests with a local master, or as the driver of a cluster.
#
#   python -m build --wheel && docker build -t eventlog-lineage:0.3.0 .
#   docker run --rm -v /var/log/spark/apps:/logs:ro -v lineage:/data eventlog-lineage:0.3.0 harvest /logs
#
# `python scripts/try_dockerfile.py` builds and runs it without Docker's daemon.
FROM python:3.11-slim-bookworm
RUN apt-get update \
    && apt-get install -y --no-install-recommends openjdk-17-jre-headless procps \
    && rm -rf /var/lib/apt/lists/*
COPY dist/*.whl /tmp/dist/
RUN pip install --no-cache-dir "$(echo /tmp/dist/eventlog_lineage-*.whl)[azure,gcs,hdfs,s3,spark]" && rm -r /tmp/dist
RUN useradd --create-home --uid 10001 lineage && install -d -o lineage /data
USER lineage
ENV EVENTLOG_LINEAGE_STORE=/data/lineage PYTHONUNBUFFERED=1
VOLUME /data
WORKDIR /data
ENTRYPOINT ["eventlog-lineage"]
CMD ["--help"]
