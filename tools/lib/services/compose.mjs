// The services' part of docker-compose.yml.

/** The port of the gateway's metrics in the containers' network. */
export const METRICS_PORT = 9464;
/** Defaults of settings that the shell that starts the containers does not set. */
const DEFAULTS = { SMTP_URL: 'smtp://mail:1025' };

/** Containers of one machine: the database is in their network alone. */
const passwordOf = (name) => `bourse-${name}`;

/** One service: its own settings, its own volume, and beside it the secrets that a demo install has made. */
export function composeService({ name, edge, port, schema, settings = [] }) {
  const environment = [
    `BOURSE_SERVICE: ${name}`,
    `BOURSE_SERVICE_PORT: '${port}'`,
    // The login that the step `migrate` has made for it.
    `DATABASE_URL: postgres://bourse_${schema}:${passwordOf(name)}@postgres:5432/exchange`,
    ...(edge ? ["PORT: '8080'", `METRICS_PORT: '${METRICS_PORT}'`, 'METRICS_HOST: 0.0.0.0'] : []),
    // From the shell that starts the containers; empty is as if it were not there.
    ...settings.map((setting) => `${setting}: '\${${setting}:-${DEFAULTS[setting] ?? ''}}'`),
  ].join(', ');
  return `  ${name}:
    <<: *service
    command: ['dist/${name}.js']
    environment: { <<: *environment, ${environment} }
    volumes: ['${name}:/data', 'secrets:/data/secrets']
${edge ? "    ports: ['127.0.0.1:${PORT:-8080}:8080']\n" : ''}`;
}

/** The password of each service's database login, as the step `migrate` reads it. */
export const composeLogins = (services) =>
  JSON.stringify(Object.fromEntries(services.map(({ name }) => [name, passwordOf(name)])));

/** The volumes of the services. */
export const composeVolumes = (services) => services.map(({ name }) => `  ${name}:\n`).join('');
