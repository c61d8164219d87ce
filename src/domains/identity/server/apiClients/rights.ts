import type { OutputOf } from '#kernel/contract/call.ts';
import { MACHINE_PARTIES } from '#kernel/contract/machine.ts';
import type { Kernel } from '#kernel/server/kernel.ts';
import type { queryApiRightList } from '../../contract/calls/apiClients.ts';

/** What machine callers may be given: each right with the calls that it opens and the parties that may hold it. */
export function rightsOf({ registry }: Kernel): OutputOf<typeof queryApiRightList> {
  return registry.permissions
    .filter(({ machine }) => machine)
    .map(({ code, label }) => {
      const calls = registry.calls.flatMap(({ access, path, label: name }) =>
        access.kind === 'signed' && access.code === code ? [{ path, label: name, parties: access.parties }] : [],
      );
      return {
        permission: code,
        label,
        parties: MACHINE_PARTIES.filter((party) => calls.some(({ parties }) => parties.includes(party))),
        calls: calls.map(({ path, label: name }) => ({ path, label: name })),
      };
    });
}
