import { dayOf } from '#kernel/contract/time.ts';
import { moveState } from '#kernel/server/audit/transition.ts';
import { asSystem } from '#kernel/server/command/acting.ts';
import { job, type JobContext } from '#kernel/server/jobs/declaration.ts';
import { updatedColumns } from '#kernel/server/command/stampedColumns.ts';
import { licenceTypes } from '../../contract/dictionaries.ts';
import { institutionPermissions } from '../../contract/permissions.ts';
import { storeMachine } from '../../contract/states.ts';
import { everyone, storeRecords } from '../access.ts';
import { own, ownTx } from '../database.ts';
import { reminderDue, withheldBy } from '../rules/licences.ts';
import { earliestEnd, publishStore } from '../stores/publish.ts';

interface Ended {
  id: string;
  ownerType: string;
  ownerId: string;
  licenceType: string;
  validTo: string | null;
}

/** One licence past its day: it expires, and takes from the store what stood on it. */
async function expire(ctx: JobContext, licence: Ended): Promise<void> {
  await ctx.transaction(async (writing) => {
    const tx = ownTx(writing.tx);
    const store = licence.ownerType === 'DRUGSTORE' ? await storeRecords.lock(writing.tx, everyone, licence.ownerId) : null;
    const done = await tx
      .updateTable('institutionLicence')
      .set((eb) => ({ state: 'EXPIRED', version: eb('version', '+', 1), updatedAt: ctx.now }))
      .where('id', '=', licence.id)
      .where('state', '=', 'VALID')
      .returning('id')
      .executeTakeFirst();
    // Somebody replaced it meanwhile.
    if (!done || !store) return;
    const { tags, capabilities, suspends } = withheldBy(licence.licenceType);
    const lostTags = store.storeTags.filter((tag) => tags.some((one) => one === tag));
    const lost = store.capabilities.filter((capability) => capabilities.some((one) => one === capability));
    const suspended = suspends && store.state === 'OPEN';
    const reason = `证照过期：${licenceTypes.label(licence.licenceType)}（${licence.validTo}）`;
    if (suspended) {
      await moveState(asSystem(writing, ctx), storeMachine, {
        targetType: 'institution.drugstore',
        targetId: store.id,
        targetNo: store.storeNo,
        action: 'expire',
        from: store.state,
        opinion: reason,
      });
    }
    const row = await tx
      .updateTable('institutionDrugstore')
      .set((eb) => ({
        storeTags: store.storeTags.filter((tag) => !lostTags.includes(tag)),
        capabilities: store.capabilities.filter((capability) => !lost.includes(capability)),
        withheld: [
          ...new Set([...store.withheld, ...lostTags.map((tag) => `tag:${tag}`), ...lost.map((capability) => `can:${capability}`)]),
        ],
        ...(suspended ? { state: 'SUSPENDED', suspendReason: reason } : {}),
        version: eb('version', '+', 1),
        ...updatedColumns({ now: ctx.now, userId: null }),
      }))
      .where('id', '=', store.id)
      .returningAll()
      .executeTakeFirstOrThrow();
    const nextExpireOn = await earliestEnd(writing.tx, store.id);
    await tx.updateTable('institutionDrugstore').set({ nextExpireOn }).where('id', '=', store.id).execute();
    if (row.state === 'OPEN' || row.state === 'SUSPENDED') {
      await publishStore(writing, { ...row, nextExpireOn });
      await ctx.kernel.ports.notices.addAlert(
        writing.tx,
        {
          businessKey: `institution.licence.expired:${licence.id}`,
          title: `${store.name}${reason}${suspended ? '，门店已停用' : ''}`,
          link: `/drugstoreManagement?storeId=${store.id}`,
          permission: institutionPermissions['store.edit'].code,
        },
        ctx.now,
      );
    }
  });
}

async function remind(ctx: JobContext): Promise<void> {
  const today = dayOf(ctx.now);
  const rows = await own(ctx.db)
    .selectFrom('institutionLicence as l')
    .leftJoin('institutionDrugstore as s', (join) => join.onRef('s.id', '=', 'l.ownerId').on('l.ownerType', '=', 'DRUGSTORE'))
    .select(['l.id', 'l.ownerType', 'l.licenceType', 'l.validTo', 'l.remindedDays', 's.name', 's.state as storeState'])
    .where('l.state', '=', 'VALID')
    .where('l.validTo', '>=', today)
    .orderBy('l.validTo')
    .execute();
  for (const row of rows) {
    const due = row.validTo === null || row.storeState === 'CLOSED' ? null : reminderDue(row.validTo, row.remindedDays, today);
    if (due === null || ctx.signal.aborted) continue;
    await ctx.transaction(async (writing) => {
      const marked = await ownTx(writing.tx)
        .updateTable('institutionLicence')
        .set({ remindedDays: [...row.remindedDays, due], updatedAt: ctx.now })
        .where('id', '=', row.id)
        .where('state', '=', 'VALID')
        .returning('id')
        .executeTakeFirst();
      if (marked)
        await ctx.kernel.ports.notices.addAlert(
          writing.tx,
          {
            businessKey: `institution.licence.due:${row.id}:${due}`,
            title: `${row.name ?? ''}${licenceTypes.label(row.licenceType)}将于${row.validTo}到期`,
            link: '/drugstoreManagement?tab=licences',
            permission: institutionPermissions['store.edit'].code,
          },
          ctx.now,
        );
    });
  }
}

/** R5, daily at 01:10: reminders, and what an ended licence takes away. */
export const expireLicencesJob = job({
  name: 'institution.expireLicences',
  label: '证照到期处理',
  cron: '10 1 * * *',
  async run(_data, ctx) {
    const ended = await own(ctx.db)
      .selectFrom('institutionLicence')
      .select(['id', 'ownerType', 'ownerId', 'licenceType', 'validTo'])
      .where('state', '=', 'VALID')
      .where('validTo', '<', dayOf(ctx.now))
      .orderBy('id')
      .execute();
    for (const licence of ended) {
      if (ctx.signal.aborted) return;
      await expire(ctx, licence);
    }
    await remind(ctx);
  },
});
