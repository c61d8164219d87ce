import type { Call } from '../contract/call.ts';
import { checkDatasets } from './datasets/checkDatasets.ts';
import type { Registry, ServerModule } from './kernel.ts';
import { consumerKey } from './outbox/dispatcher.ts';

export type { Registry } from './kernel.ts';

function unique<T>(what: string, items: readonly T[], keyOf: (item: T) => string): Map<string, T> {
  const table = new Map<string, T>();
  for (const item of items) {
    const key = keyOf(item);
    if (table.has(key)) throw new Error(`${what} ${key} is registered twice`);
    table.set(key, item);
  }
  return table;
}

/** Gathers the modules. @throws when two of them register the same name, or a call asks for an unknown permission. */
export function makeRegistry(modules: readonly ServerModule[]): Registry {
  const handlers = modules.flatMap((module) => module.handlers);
  unique('call', handlers, ({ call }) => call.name);
  unique(
    'route',
    modules.flatMap((module) => module.routes),
    ({ path }) => path,
  );
  const permissions = unique(
    'permission',
    modules.flatMap((module) => module.permissions),
    ({ code }) => code,
  );
  for (const { call } of handlers) {
    for (const code of permissionCodesOf(call)) {
      if (!permissions.has(code)) throw new Error(`${call.name} asks for ${code}, which no module declares`);
    }
  }
  const consumers = unique(
    'consumer',
    modules.flatMap((module) => module.consumers ?? []),
    consumerKey,
  );
  const datasets = unique(
    'dataset',
    modules.flatMap(({ domain, datasets: own }) => (own ?? []).map((one) => ({ ...one, domain }))),
    ({ code }) => code,
  );
  checkDatasets([...datasets.values()], new Set(handlers.map(({ call }) => call.name)));
  const builtinPages = modules.flatMap(({ domain, builtinPages: own }) => (own ?? []).map((one) => ({ ...one, domain })));
  unique('page', builtinPages, ({ token }) => token);
  const byEvent = Map.groupBy(consumers.entries(), ([, consumer]) => consumer.event.name);
  return {
    modules,
    handlers,
    calls: handlers.map(({ call }) => call),
    permissions: [...permissions.values()],
    routes: modules.flatMap((module) => module.routes),
    jobs: unique(
      'job',
      modules.flatMap((module) => module.jobs ?? []),
      ({ name }) => name,
    ),
    consumers,
    exports: modules.flatMap((module) => module.exports ?? []),
    importers: modules.flatMap((module) => module.importers ?? []),
    objectTypes: unique(
      'object type',
      modules.flatMap((module) => module.objectTypes ?? []),
      ({ code }) => code,
    ),
    datasets,
    builtinPages,
    pageWindows: unique(
      'page window',
      modules.flatMap((module) => module.pageWindows ?? []),
      ({ name }) => name,
    ),
    consumersOf: (eventName) => (byEvent.get(eventName) ?? []).map(([key]) => key),
    permissionLabel: (code) => permissions.get(code)?.label ?? code,
  };
}

/** Permission codes that a call may ask for. */
export function permissionCodesOf(call: Call): readonly string[] {
  const { access } = call;
  if (access.kind === 'permission' || access.kind === 'signed') return [access.code];
  if (access.kind === 'byAction') return [...new Set([...Object.values(access.codes), access.otherwise])];
  if (access.kind === 'owner') return access.codes;
  return [];
}
