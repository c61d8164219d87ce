import type { Kernel } from '#kernel/server/kernel.ts';
import type { IdentityHooks } from './hooks.ts';
import { sessionEnds, type SessionEnds } from './session/ends.ts';
import { permissionSets, type PermissionSets } from './session/permissionSets.ts';
import { viewMaker, type ViewMaker } from './session/view.ts';

/** What the handlers of identity share within one process. */
export interface IdentityCore {
  kernel: Kernel;
  hooks: IdentityHooks;
  sets: PermissionSets;
  ends: SessionEnds;
  views: ViewMaker;
}

export function identityCore(kernel: Kernel, hooks: IdentityHooks): IdentityCore {
  const sets = permissionSets();
  return { kernel, hooks, sets, ends: sessionEnds(kernel), views: viewMaker(sets, hooks) };
}
