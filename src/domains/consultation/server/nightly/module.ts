import { dayOf, days, plusMs } from '#kernel/contract/time.ts';
import { job, type JobContext, type JobDeclaration } from '#kernel/server/jobs/declaration.ts';
import { consultationPermissions as may } from '../../contract/permissions.ts';
import type { FeatureModule } from '#kernel/server/featureModule.ts';
import { settleDue } from '../inquiries/jobs.ts';
import type { Check, Look } from './check.ts';
import { groupChecks } from './groupChecks.ts';
import { moneyChecks } from './moneyChecks.ts';
import { recordChecks } from './recordChecks.ts';
import { storeChecks } from './storeChecks.ts';

const LOOK_BACK_DAYS = 3;
export const checks: readonly Check[] = [...storeChecks, ...groupChecks, ...moneyChecks, ...recordChecks];

/** What is broken now, by name. */
export async function findBroken(look: Omit<Look, 'since'>): Promise<{ name: string; count: number }[]> {
  const found = [];
  for (const { name, broken } of checks) {
    const count = await broken({ ...look, since: plusMs(look.now, -days(LOOK_BACK_DAYS)) });
    if (count > 0) found.push({ name, count });
  }
  return found;
}

/** Looks every night for what must not be; whatever is found is logged and becomes an alert of the supervisors. */
export const checkJob = job({
  name: 'consultation.checkInvariants',
  label: '在线问诊数据核对',
  cron: '10 3 * * *',
  expireSeconds: 3_600,
  async run(_data, context: JobContext) {
    const { kernel, db, now, transaction } = context;
    // After a stop, or on a clock that was moved, settling and looking are due at once, and which comes first is chance. Whatever cannot
    // be settled fails in the job of the deadlines too, and is found here.
    await settleDue(context).catch((error: unknown) => kernel.log.warn({ error }, 'not all that is due was settled'));
    const found = await findBroken({ kernel, db, now });
    if (found.length === 0) return;
    kernel.log.error({ found }, 'rules of consultation are broken');
    const body = found.map(({ name, count }) => `${name}（${count}条）`).join('；');
    await transaction(({ tx }) =>
      kernel.ports.notices.addAlert(
        tx,
        {
          businessKey: `consultation.invariants.${dayOf(now)}`,
          title: '在线问诊数据核对发现异常',
          body,
          link: '/visitRecords',
          permission: may['chat.supervise'].code,
        },
        now,
      ),
    );
  },
});

export const nightlyModule: FeatureModule = { handlers: () => [], jobs: [checkJob] as readonly JobDeclaration<never>[] };
