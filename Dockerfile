# One image for the web server, the worker and the migrations; which of them it is says the command.
FROM python:3.13-slim AS packages
WORKDIR /srv/gpuplan
COPY requirements.lock ./
RUN python -m venv .venv && .venv/bin/pip install --no-cache-dir --disable-pip-version-check --require-hashes --requirement requirements.lock
COPY pyproject.toml README.md LICENSE ./
COPY app app
COPY migrations migrations
COPY seed_data seed_data
COPY static static
COPY templates templates
RUN .venv/bin/pip install --no-cache-dir --disable-pip-version-check --no-deps --no-index --no-build-isolation .

FROM python:3.13-slim
RUN useradd --system --create-home --uid 10001 gpuplan
COPY --from=packages /srv/gpuplan/.venv /srv/gpuplan/.venv
USER gpuplan
WORKDIR /home/gpuplan
ENV PATH=/srv/gpuplan/.venv/bin:$PATH GPUPLAN_HOST=0.0.0.0 GPUPLAN_LOG_JSON=true
EXPOSE 8000
CMD ["gpuplan", "web"]
