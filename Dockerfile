# The local server as an image: docker build --tag trainyard . With Python for trainers: docker build --target python --tag trainyard:python .
FROM node:24.21.0-bookworm-slim AS build
WORKDIR /trainyard
COPY . .
RUN npx -y pnpm@12 install --frozen-lockfile \
  && npx -y pnpm@12 exec turbo run build --filter=trainyard \
  && npx -y pnpm@12 --filter trainyard deploy --prod --no-optional /app

FROM node:24.21.0-bookworm-slim AS server
COPY --from=build /app /app
# Whose data it is: the user node, which the image brings, and not root.
RUN mkdir /data && chown node:node /data
USER node
WORKDIR /data
VOLUME /data
ENV TRAINYARD_DATA=/data \
  TRAINYARD_HOST=0.0.0.0 \
  TRAINYARD_LOG=json
EXPOSE 4010
HEALTHCHECK --interval=10s --timeout=5s --start-period=60s \
  CMD ["node", "--eval", "fetch(`http://127.0.0.1:${process.env.TRAINYARD_PORT || 4010}/v1/health`).then(({ ok }) => process.exit(ok ? 0 : 1), () => process.exit(1))"]
ENTRYPOINT ["node", "/app/dist/cli.js"]
CMD ["serve"]

# The same server, and Debian's Python for `--trainer "python3 train.py"`.
FROM server AS python
USER root
RUN apt-get update \
  && apt-get install -y --no-install-recommends python3 \
  && rm -rf /var/lib/apt/lists/*
USER node

# What is built without --target.
FROM server
