import { trailOf, type RouteDeclaration } from '#kernel/contract/route.ts';
import type { Kernel } from '#kernel/server/kernel.ts';
import { makeRegistry } from '#kernel/server/registry.ts';
import { modules } from '../../src/modules.ts';

/** A kernel that is never used: the modules are only asked for their declarations. */
const declared = (): readonly RouteDeclaration[] => {
  const nothing: Kernel = new Proxy({} as Kernel, { get: () => new Proxy(() => {}, { get: () => () => {} }) });
  return makeRegistry(modules.map((build) => build(nothing))).routes;
};

/** Rows of `npm run routes`. */
export const makeRoutes = (): string[][] =>
  declared().map((route, _, all) => [route.path, route.title, trailOf(route, all).join(' > '), route.domain, route.permission ?? '']);
