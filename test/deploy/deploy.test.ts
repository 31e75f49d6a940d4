// What we ship for containers and clusters is read, and held to the code: settings that exist, figures that are told,
// ports and users that agree. What needs a container engine is not run here; docs/deploy.md says what was.
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { parseAllDocuments } from 'yaml';
import { settings } from '../../src/config.ts';
import { createMetrics, type Gauges } from '../../src/http/metrics.ts';

const root = join(import.meta.dirname, '../..');
const read = (path: string) => readFileSync(join(root, path), 'utf8');
const known = new Set(Object.values(settings).map(({ env }) => env as string));

// biome-ignore lint/suspicious/noExplicitAny: any YAML there is
type Yaml = any;
const documents = (path: string): Yaml[] =>
  parseAllDocuments(read(path), { merge: true }).map((document) => {
    expect(document.errors).toEqual([]);
    return document.toJS();
  });
const manifests = readdirSync(join(root, 'deploy/kubernetes')).map((name) => `deploy/kubernetes/${name}`);
const all = () => manifests.flatMap(documents);
const named = (kind: string, name: string): Yaml =>
  all().find((each) => each.kind === kind && each.metadata.name === name);

describe('the compose files', () => {
  it.each(['compose.yaml', 'deploy/compose.cluster.yaml'])('%s sets only settings that exist', (path) => {
    const [compose] = documents(path);
    const given = Object.entries<Yaml>(compose.services)
      .filter(([, { image }]) => image === 'tintype')
      .flatMap(([service, { environment = {} }]) => Object.keys(environment).map((name) => [service, name] as const));
    expect(given.length).toBeGreaterThan(0);
    expect(given.filter(([, name]) => !known.has(name))).toEqual([]);
  });

  it('a render node knows Redis, and neither the database nor the bucket', () => {
    const [{ services }] = documents('deploy/compose.cluster.yaml') as [Yaml];
    expect(Object.keys(services.render.environment).sort()).toEqual(['REDIS_URL', 'RENDERS_AT_ONCE', 'ROLE']);
    expect(services.render.networks).not.toContain('stores');
  });

  it('the stores cannot reach the internet, nodes reach it apart from each other, and only nginx can be reached from outside', () => {
    const [{ services, networks }] = documents('deploy/compose.cluster.yaml') as [Yaml];
    for (const name of ['postgres', 'redis', 'minio'])
      for (const network of services[name].networks)
        expect([network, networks[network].internal]).toEqual([network, true]);
    const waysOut = (name: string) => services[name].networks.filter((network: string) => !networks[network].internal);
    expect([waysOut('api'), waysOut('render')]).toEqual([['calls'], ['out']]);
    for (const name of ['api', 'render', 'postgres', 'redis', 'minio']) expect(services[name].ports).toBeUndefined();
  });

  it('every node drops all capabilities, gains no privileges and has a read-only root', () => {
    for (const path of ['compose.yaml', 'deploy/compose.cluster.yaml'])
      for (const service of Object.values<Yaml>(documents(path)[0].services))
        if (service.image === 'tintype') {
          expect(service).toMatchObject({ read_only: true, cap_drop: ['ALL'] });
          expect(service.security_opt).toContain('no-new-privileges:true');
        }
  });
});

describe('the Kubernetes manifests', () => {
  it('are all in the kustomization, except the one that writes to the hosts', () => {
    const [kustomization] = documents('deploy/kubernetes/kustomization.yaml');
    const listed = kustomization.resources.map((name: string) => `deploy/kubernetes/${name}`);
    const apart = ['kustomization.yaml', 'seccomp-installer.yaml'].map((name) => `deploy/kubernetes/${name}`);
    expect([...listed, ...apart].sort()).toEqual([...manifests].sort());
  });

  it('set only settings that exist', () => {
    for (const each of all()) {
      if (each.kind === 'ConfigMap') expect(Object.keys(each.data).filter((name) => !known.has(name))).toEqual([]);
      if (each.kind === 'Secret') expect(Object.keys(each.stringData).filter((name) => !known.has(name))).toEqual([]);
      for (const container of each.spec?.template?.spec?.containers ?? [])
        for (const { name } of container.env ?? []) expect(known.has(name)).toBe(true);
    }
  });

  it.each(['api', 'render'])('the %s nodes have probes, limits, a budget, no root and no token', (role) => {
    const { spec } = named('Deployment', `tintype-${role}`).spec.template;
    const [container] = spec.containers;
    expect(container.livenessProbe.httpGet.path).toBe('/healthz');
    expect(container.readinessProbe.httpGet.path).toBe('/readyz');
    expect(container.startupProbe).toBeDefined();
    expect(container.resources.limits).toMatchObject({ cpu: expect.anything(), memory: expect.anything() });
    expect(container.securityContext).toEqual({
      allowPrivilegeEscalation: false,
      readOnlyRootFilesystem: true,
      capabilities: { drop: ['ALL'] },
    });
    expect(spec.securityContext).toMatchObject({ runAsNonRoot: true, runAsUser: 10001 });
    expect(spec.automountServiceAccountToken).toBe(false);
    // A stop that is cut short loses renders.
    expect(spec.terminationGracePeriodSeconds).toBeGreaterThan(settings.shutdownSeconds.default);
    expect(named('PodDisruptionBudget', `tintype-${role}`).spec.selector.matchLabels).toEqual({ app: 'tintype', role });
    expect(named('NetworkPolicy', role).spec.podSelector.matchLabels).toEqual({ app: 'tintype', role });
  });

  it('api nodes reach webhooks, mail servers and sign-in providers on the internet, and neither role reaches your networks', () => {
    const { spec } = named('NetworkPolicy', 'internet');
    expect(spec.podSelector.matchLabels).toEqual({ app: 'tintype' });
    const [{ to, ports }] = spec.egress;
    // Any port: 443 of an issuer, 587 of a mail server, whatever a webhook names.
    expect([spec.egress.length, ports]).toEqual([1, undefined]);
    expect(to[0].ipBlock.cidr).toBe('0.0.0.0/0');
    for (const network of ['10.0.0.0/8', '172.16.0.0/12', '192.168.0.0/16', '169.254.0.0/16', '127.0.0.0/8'])
      expect(to[0].ipBlock.except).toContain(network);
    for (const role of ['api', 'render'])
      for (const rule of named('NetworkPolicy', role).spec.egress)
        expect(rule.to.every((peer: Yaml) => peer.ipBlock === undefined)).toBe(true);
  });

  it('the ingress does not expose the metrics', () => {
    const [{ http }] = named('Ingress', 'tintype').spec.rules;
    const [first] = http.paths;
    expect([first.path, first.pathType, first.backend.service.name]).toEqual(['/metrics', 'Exact', 'nobody']);
    expect(named('Service', 'nobody').spec.selector).toBeUndefined();
  });

  it('a render node gets the address of Redis only', () => {
    const [container] = named('Deployment', 'tintype-render').spec.template.spec.containers;
    expect(container.envFrom).toEqual([{ secretRef: { name: 'tintype-queue' } }]);
    expect(Object.keys(named('Secret', 'tintype-queue').stringData)).toEqual(['REDIS_URL']);
  });
});

describe('the image', () => {
  const dockerfile = read('deploy/Dockerfile');
  it('is not root, has a health check, and listens where the manifests look', () => {
    expect(dockerfile).toMatch(/^USER 10001$/m);
    expect(dockerfile).toMatch(/^HEALTHCHECK /m);
    expect(dockerfile).toMatch(/HOST=0\.0\.0\.0 PORT=3000 DATA_DIR=\/data/);
  });

  it('has the fonts and the browser of the set-up', () => {
    const fonts = /export const debianFonts = \[([^\]]+)\]/.exec(read('setup/fonts.js'))?.[1] ?? '';
    const packages = [...fonts.matchAll(/'([^']+)'/g)].map((match) => match[1]);
    expect(packages.length).toBeGreaterThan(3);
    for (const name of [...packages, 'chromium-headless-shell']) expect(dockerfile).toContain(` ${name}`);
  });

  it('copies only what is there', () => {
    const copied = [...dockerfile.matchAll(/COPY --from=build \/app\/(\S+)/g)];
    expect(copied.length).toBeGreaterThan(5);
    for (const [, path] of copied)
      if (path !== 'node_modules' && path !== '.tintype/lists' && path !== 'web/dist')
        expect([
          path,
          readdirSync(join(root, path?.includes('/') ? 'deploy' : '.')).includes(path?.split('/').at(-1) ?? ''),
        ]).toEqual([path, true]);
  });

  it('runs under a seccomp profile that allows the sandbox', () => {
    const profile = JSON.parse(read('deploy/seccomp.json'));
    const refused = profile.syscalls.flatMap(({ names }: { names: string[] }) => names);
    for (const needed of ['clone', 'clone3', 'unshare', 'setns', 'chroot', 'seccomp', 'prctl'])
      expect(refused).not.toContain(needed);
    for (const dangerous of ['mount', 'bpf', 'ptrace', 'init_module', 'io_uring_setup', 'keyctl'])
      expect(refused).toContain(dangerous);
  });
});

describe('the systemd unit', () => {
  const unit = read('deploy/tintype.service');
  it('lets renders finish before it kills, and allows the namespaces of the sandbox', () => {
    expect(unit).toMatch(/^KillMode=mixed$/m);
    const patience = Number(/^TimeoutStopSec=(\d+)$/m.exec(unit)?.[1]);
    expect(patience).toBeGreaterThan(settings.shutdownSeconds.default);
    expect(unit).not.toMatch(/^RestrictNamespaces=/m);
  });
});

describe('dashboard and alerts', () => {
  it('use only metrics that exist', async () => {
    const gauges = new Proxy({}, { get: () => () => 0 }) as Gauges;
    const told = await createMetrics(gauges).text();
    const names = new Set([...told.matchAll(/^# HELP (\S+)/gm)].map((match) => match[1]));
    const asked = [
      'deploy/monitoring/grafana-dashboard.json',
      'deploy/monitoring/alerts.yaml',
      'deploy/kubernetes/autoscaling.yaml',
      'docs/deploy.md',
    ]
      .map(read)
      .join('\n');
    const wanted = new Set(asked.match(/\b(?:tintype|process|nodejs)_[a-z0-9_]+/g) ?? []);
    expect(wanted.size).toBeGreaterThan(15);
    for (const name of wanted)
      expect([name, names.has(name.replace(/_(bucket|sum|count)$/, ''))]).toEqual([name, true]);
  });

  it('have panels with queries and alerts with a summary', () => {
    const { panels } = JSON.parse(read('deploy/monitoring/grafana-dashboard.json'));
    for (const { title, targets } of panels) expect([title, targets.length > 0]).toEqual([title, true]);
    const [{ groups }] = documents('deploy/monitoring/alerts.yaml') as [Yaml];
    for (const { alert, annotations } of groups[0].rules)
      expect([alert, annotations.summary]).toEqual([alert, expect.stringMatching(/\.$/)]);
    const guide = read('docs/deploy.md');
    for (const { alert } of groups[0].rules) expect([alert, guide.includes(`\`${alert}\``)]).toEqual([alert, true]);
  });
});
