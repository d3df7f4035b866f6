# One image for the web server, the worker and the migrations; which of them it is says the command.
FROM python:3.13-slim AS packages
WORKDIR /srv/gpuplan
COPY requirements.lock pyproject.toml README.md LICENSE ./
RUN python -m venv .venv && .venv/bin/pip install --no-cache-dir --disable-pip-version-check --require-hashes --requirement requirements.lock
COPY app app
RUN .venv/bin/pip install --no-cache-dir --disable-pip-version-check --no-deps --no-index --no-build-isolation --editable .

FROM python:3.13-slim
RUN useradd --system --create-home --uid 10001 gpuplan
WORKDIR /srv/gpuplan
COPY --from=packages /srv/gpuplan /srv/gpuplan
COPY migrations migrations
COPY seed_data seed_data
COPY static static
COPY templates templates
USER gpuplan
ENV PATH=/srv/gpuplan/.venv/bin:$PATH GPUPLAN_HOST=0.0.0.0 GPUPLAN_LOG_JSON=true
EXPOSE 8000
CMD ["gpuplan", "web"]
