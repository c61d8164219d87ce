import { days, plusMs, type Instant } from '#kernel/contract/time.ts';
import type { Tx } from '#kernel/server/context.ts';
import type { MinMethod, SwitchScene, SwitchScope } from '../../contract/dictionaries.ts';
import { ownTx } from '../database.ts';

export interface DemoSwitch {
  scopeType: Exclude<SwitchScope, 'GLOBAL'>;
  scopeId: string;
  scopeName: string;
  scene: SwitchScene;
  required: boolean;
  minMethod: MinMethod;
  reason: string;
}

/** Exceptions to the global switches of the demonstration; whoever knows doctors, items and channels names them. */
export async function writeDemoSwitches(tx: Tx, switches: readonly DemoSwitch[], now: Instant): Promise<void> {
  if (switches.length === 0) return;
  const since = plusMs(now, -days(60));
  await ownTx(tx)
    .insertInto('patientRealNameSwitch')
    .values(switches.map((one) => ({ ...one, effectiveFrom: since, createdAt: since, updatedAt: since })))
    .onConflict((conflict) => conflict.columns(['scopeType', 'scopeId', 'scene']).doNothing())
    .execute();
}
