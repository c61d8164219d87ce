import { afterAll, beforeAll, expect, it } from 'vitest';
import { builtinRoles } from '#domains/identity/server/reference/builtinRoles.ts';
import { routeKeyOf, trailOf } from '#kernel/contract/route.ts';
import type { Registry } from '#kernel/server/registry.ts';
import { permissionCodesOf } from '#kernel/server/registry.ts';
import { webModules } from '../web/modules.ts';
import { designCsv, designEvents, viewPermissions } from './designLists.ts';
import { startTestApp, type TestApp } from './testApp.ts';

// What is registered must stand in the design's lists with equal attributes; what stands there and is not built is no error.
let app: TestApp;
let registry: Registry;
beforeAll(async () => {
  app = await startTestApp();
  registry = app.kernel.registry;
});
afterAll(() => app.close());

it('registers only routes of the list, with their attributes, each with a page', () => {
  const listed = new Map(designCsv('routes.csv').map((row) => [row['path']!, row]));
  const permissions = viewPermissions();
  const pages = new Set(webModules.flatMap((module) => module.pages.map(({ route }) => route.path)));
  for (const route of registry.routes) {
    expect(listed.get(route.path), `${route.path} is not in routes.csv`).toEqual({
      path: route.path,
      title: route.title,
      trail: trailOf(route, registry.routes).join(' > '),
      domain: route.domain,
      left: route.left,
      kind: route.kind,
      menu: route.menu ?? '',
    });
    if (permissions.has(route.path)) expect(route.permission, route.path).toBe(permissions.get(route.path));
    // The participants' page is an entry of its own, outside of the console.
    if (route.kind !== 'layout' && route.kind !== 'wechat') expect(pages, `${route.path} has no page`).toContain(route.path);
  }
  const registered = new Set(registry.routes.map(({ path }) => path));
  expect(
    [...pages].filter((path) => !registered.has(path)),
    'pages whose route the server does not know',
  ).toEqual([]);
});

it('calls pages by their names in roles and permissions, directories by the titles of the list', () => {
  const rows = designCsv('routes.csv');
  const names = new Set(rows.map((row) => routeKeyOf(row['path']!)));
  const titles = new Set(rows.map((row) => row['title']!));
  const directories = new Set(rows.flatMap((row) => [row['menu']!, ...row['trail']!.split(' > ')]).filter((title) => !titles.has(title)));
  const unknown = builtinRoles.flatMap(({ menus }) => menus).filter((one) => one !== '*' && !names.has(one) && !directories.has(one));
  expect(unknown).toEqual([]);
  expect(registry.permissions.flatMap(({ routes }) => routes).filter((name) => !names.has(name))).toEqual([]);
  expect(registry.routes.flatMap(({ parent }) => parent ?? []).filter((name) => !names.has(name))).toEqual([]);
});

it('registers only permissions of the list, with their labels, risks and default roles', () => {
  const listed = new Map(designCsv('permissions.csv').map((row) => [row['permission']!, row]));
  for (const { code, label, domain, risk, defaultRoles } of registry.permissions) {
    expect(code).toMatch(/^[a-z][a-zA-Z]*\.[a-z][a-zA-Z]*\.[a-z][a-zA-Z0-9]*$/);
    expect(listed.get(code), `${code} is not in permissions.csv`).toEqual({
      permission: code,
      中文: label,
      domain,
      risk,
      defaultRoles: defaultRoles.join('|'),
    });
  }
});

it('registers no permission that nothing asks for', () => {
  const asked = new Set([
    ...registry.calls.flatMap(permissionCodesOf),
    ...registry.routes.flatMap(({ permission }) => permission ?? []),
    ...registry.exports.flatMap(({ permission, plainPermission }) => [permission, ...(plainPermission ? [plainPermission] : [])]),
    ...registry.importers.flatMap(({ permission, undoPermission }) => [permission, ...(undoPermission ? [undoPermission] : [])]),
  ]);
  // Asked inside a handler: whose file, whose task, unmasked columns.
  const insideHandlers = [
    'files.object.remove',
    'files.task.viewAll',
    'files.task.manage',
    'files.export.plain',
    'files.object.manage',
    'identity.user.unlock',
    'consultation.chat.watch',
    'content.mark.sensitive',
    'ledger.book.card',
    'ledger.book.doctor',
    'ledger.book.insurer',
  ];
  const idle = registry.permissions.map(({ code }) => code).filter((code) => !asked.has(code) && !insideHandlers.includes(code));
  expect(idle).toEqual([]);
});

it('refuses only with the codes and texts of the list', () => {
  const listed = new Map(designCsv('codes.csv').map((row) => [row['code']!, row]));
  for (const module of registry.modules) {
    for (const { code, text } of Object.values(module.errors)) {
      expect(listed.get(code), `${code} is not in codes.csv`).toEqual({ code, domain: module.domain, text });
    }
  }
});

/** Paths whose list is not built yet: the export of orders comes with the list of orders. */
const LIST_NOT_BUILT: ReadonlySet<string> = new Set(['admin/OrderService/exportExcel']);

it('answers the specification’s calls at their paths', () => {
  const paths = new Map(registry.calls.map((call) => [call.path, call]));
  const built = new Set(registry.modules.map(({ domain }) => domain));
  for (const row of designCsv('seed-calls.csv')) {
    const path = row['path']!.split(',')[0]!;
    const call = paths.get(path);
    if (call) expect(row['method'], path).toContain(call.method);
    // Materials come with publication and the sending engine.
    else if (built.has(row['domain']!) && row['specification'] !== 'material services' && !LIST_NOT_BUILT.has(path))
      expect.fail(`${path} is not built`);
  }
});

it('publishes and consumes only events of the list', () => {
  const listed = new Map(designEvents().map((event) => [event.name, event]));
  for (const module of registry.modules) {
    for (const { name } of module.events ?? []) expect(listed.get(name)?.publisher, name).toBe(module.domain);
  }
  // `consultation.visits`: a part of a domain that hears for itself.
  for (const { domain: hearer, event } of registry.consumers.values()) {
    const domain = hearer.split('.')[0]!;
    const consumers = listed.get(event.name)?.consumers ?? [];
    expect(
      consumers.includes(domain) || (domain === 'identity' && consumers.includes('realtime')),
      `${domain} consumes ${event.name}`,
    ).toBe(true);
  }
});
