# The first stage builds the environment; the second contains only what runs.
FROM python:3.13-slim-trixie AS build
WORKDIR /srv/hjstudy
ENV PYTHONDONTWRITEBYTECODE=1
COPY requirements/tools.txt requirements/run.txt requirements/image.txt requirements/
RUN python -m venv .venv \
    && .venv/bin/pip install --no-cache-dir --require-hashes -r requirements/tools.txt
RUN .venv/bin/uv pip install --compile-bytecode --python .venv/bin/python \
    --require-hashes -r requirements/run.txt \
    && .venv/bin/uv pip install --python .venv/bin/python --no-deps \
    --require-hashes -r requirements/image.txt
COPY pyproject.toml README.md ./
COPY app app
RUN .venv/bin/uv pip install --no-deps --no-build-isolation --python .venv/bin/python -e .

FROM python:3.13-slim-trixie
# `hjstudy backup` runs pg_dump, which must not be older than the PostgreSQL of docker-compose.yml.
RUN apt-get update \
    && apt-get install --yes --no-install-recommends "postgresql-client-17=17.*" \
    && rm -rf /var/lib/apt/lists/*
RUN useradd --system --uid 10001 --home-dir /srv/hjstudy hjstudy \
    && install -d -o hjstudy /var/lib/hjstudy /var/backups/hjstudy
WORKDIR /srv/hjstudy
COPY --from=build /srv/hjstudy /srv/hjstudy
COPY templates templates
COPY static static
COPY migrations migrations
ENV HJSTUDY_HOST=0.0.0.0 HJSTUDY_DATA_DIR=/var/lib/hjstudy HJSTUDY_LOG_FORMAT=json
USER 10001
EXPOSE 8000
HEALTHCHECK --interval=10s --timeout=3s --start-period=10s CMD ["/srv/hjstudy/.venv/bin/python", "-c", \
    "import urllib.request as u; u.urlopen('http://127.0.0.1:8000/healthz', timeout=2)"]
ENTRYPOINT ["/srv/hjstudy/.venv/bin/hjstudy"]
CMD ["serve"]
