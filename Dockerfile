# An index as a web page, without network: the lock's versions, a user without rights, nothing written but /tmp.
#   docker build -t lawng .      with --build-arg TORCH_INDEX=... PyTorch comes from another index, e.g. its builds for the CPU
#   docker run --rm --read-only --tmpfs /tmp -v ./index:/index:ro -p 127.0.0.1:8021:8021 lawng
FROM python:3.12-slim-bookworm AS build
ARG TORCH_INDEX=
WORKDIR /src
RUN python -m venv /opt/lawng
ENV PATH=/opt/lawng/bin:$PATH
COPY constraints.txt ./
RUN pip install --no-cache-dir -c constraints.txt ${TORCH_INDEX:+--index-url "$TORCH_INDEX"} "$(grep -o '^torch==[^ ;]*' constraints.txt)"
COPY pyproject.toml README.md LICENSE ./
COPY src ./src
RUN pip install --no-cache-dir -c constraints.txt '.[offline,web]'

FROM python:3.12-slim-bookworm
# LightGBM's library; Debian keeps one version of it for each release
# hadolint ignore=DL3008
RUN apt-get update \
    && apt-get install -y --no-install-recommends libgomp1 \
    && rm -rf /var/lib/apt/lists/*
COPY --from=build /opt/lawng /opt/lawng
ENV PATH=/opt/lawng/bin:$PATH HOME=/tmp HF_HUB_OFFLINE=1 PYTHONDONTWRITEBYTECODE=1
USER 10001:10001
EXPOSE 8021
HEALTHCHECK --interval=30s --timeout=5s --start-period=60s \
    CMD ["python", "-c", "from urllib.request import urlopen; urlopen('http://127.0.0.1:8021/healthz', timeout=4)"]
ENTRYPOINT ["lawng"]
CMD ["serve", "/index", "--host", "0.0.0.0"]
