import { noteWritten } from '#kernel/server/audit/fourEyes.ts';
import { platformErrors, refuse, refuseField } from '#kernel/contract/errors.ts';
import { daysBetween, plusDays } from '#kernel/contract/time.ts';
import { command, type Handler } from '#kernel/server/handler.ts';
import type { Kernel } from '#kernel/server/kernel.ts';
import { licenceTypes } from '../../contract/dictionaries.ts';
import { institutionErrors } from '../../contract/errors.ts';
import { remindLicence, saveLicence } from '../../contract/licenceCalls.ts';
import { institutionPermissions } from '../../contract/permissions.ts';
import { storeMachine } from '../../contract/states.ts';
import { hospitalRecords, storeRecords } from '../access.ts';
import { ownTx } from '../database.ts';
import { attachPapers } from '../papers.ts';
import { isLicenceNo } from '../rules/licences.ts';
import { fileChange, type NewLicence } from '../stores/changes.ts';
import { putLicence } from '../stores/licence.ts';
import { earliestEnd } from '../stores/publish.ts';
import { makerOf } from '../stores/save.ts';
import { expiringColumns, expiringSeen, licenceList } from './list.ts';

/** Ends that a store is reminded of. */
const OF_A_STORE_DAYS = 90;

export const licenceHandlers = (kernel: Kernel): readonly Handler[] => [
  command(saveLicence, async ({ ownerType, ownerId, ...entered }, ctx) => {
    const tx = ownTx(ctx.tx);
    if (!isLicenceNo(entered.licenceType, entered.licenceNo)) throw refuse(institutionErrors.LICENCE_NO);
    if (entered.validTo !== null && entered.validTo < entered.validFrom) throw refuseField('validTo', '有效期止不能早于有效期起');
    const licence: NewLicence = { ...entered, fileIds: [...entered.fileIds] };
    if (entered.validTo !== null && entered.validTo < ctx.today && ownerType === 'DRUGSTORE')
      throw refuse(institutionErrors.LICENCE_EXPIRED, { licence: licenceTypes.label(entered.licenceType), date: entered.validTo });
    const owners = { DRUGSTORE: 'institution.drugstore', HOSPITAL: 'institution.hospital', CHAIN: 'institution.chain' } as const;
    if (ownerType === 'HOSPITAL') {
      ctx.requirePermission(institutionPermissions['hospital.edit']);
      await hospitalRecords.lock(ctx.tx, ctx.staff, ownerId);
    } else if (ownerType === 'CHAIN') {
      const chain = await tx.selectFrom('institutionChain').select('id').where('id', '=', ownerId).forUpdate().executeTakeFirst();
      if (!chain) throw refuseField('ownerId', '连锁总部不存在');
    } else {
      const store = await storeRecords.lock(ctx.tx, ctx.staff, ownerId);
      if (store.state === 'CLOSED') throw refuse(platformErrors.WRONG_STATE, { state: storeMachine.states.CLOSED.label });
      if (store.state === 'PENDING')
        await tx.updateTable('institutionDrugstore').set(makerOf(ctx, store)).where('id', '=', ownerId).execute();
      if (store.state === 'OPEN' || store.state === 'SUSPENDED') {
        const held = await tx
          .selectFrom('institutionLicence')
          .select(['licenceType', 'licenceNo', 'holder', 'validFrom', 'validTo', 'fileIds'])
          .where('ownerType', '=', ownerType)
          .where('ownerId', '=', ownerId)
          .where('licenceType', '=', entered.licenceType)
          .where('state', 'in', ['VALID', 'EXPIRED'])
          .executeTakeFirst();
        await attachPapers(ctx, { type: owners[ownerType], id: ownerId, field: 'licence' }, entered.fileIds);
        const { changeNo } = await fileChange(
          ctx,
          kernel,
          { type: 'DRUGSTORE', id: ownerId, name: store.name },
          {
            before: { licence: held ?? null },
            after: { licence },
            reason: `更新${licenceTypes.label(entered.licenceType)}`,
            fileIds: entered.fileIds,
          },
        );
        return { licence: null, changeNo };
      }
    }
    await attachPapers(ctx, { type: owners[ownerType], id: ownerId, field: 'licence' }, entered.fileIds);
    const id = await putLicence(ctx.tx, { type: ownerType, id: ownerId }, licence, { now: ctx.now, userId: ctx.staff.userId });
    if (ownerType === 'DRUGSTORE') {
      await tx
        .updateTable('institutionDrugstore')
        .set({ nextExpireOn: await earliestEnd(ctx.tx, ownerId) })
        .where('id', '=', ownerId)
        .execute();
      // Its licences are what the audit of a store looks at.
      await noteWritten(ctx, ctx.staff.userId, 'institution.drugstore', [ownerId]);
    }
    ctx.target({ type: 'institution.licence', id, no: entered.licenceNo });
    ctx.changed([
      {
        path: 'licence',
        label: licenceTypes.label(entered.licenceType),
        before: null,
        after: `${entered.licenceNo} ${entered.validTo ?? '长期'}`,
      },
    ]);
    return { licence: { id, ...licence, licenceType: entered.licenceType, state: 'VALID' as const, version: 1 }, changeNo: null };
  }),
  licenceList.handler,
  command(remindLicence, async ({ ids, storeIds }, ctx) => {
    const due = expiringSeen(ctx.tx, ctx.staff);
    const rows = ids
      ? await due.where('l.id', 'in', ids).where('l.validTo', '<=', plusDays(ctx.today, 3650)).select(expiringColumns).execute()
      : await due
          .where('l.ownerType', '=', 'DRUGSTORE')
          .where('l.ownerId', 'in', storeIds!)
          .where('l.validTo', '<=', plusDays(ctx.today, OF_A_STORE_DAYS))
          .select(expiringColumns)
          .orderBy('l.validTo')
          .execute();
    for (const row of rows) {
      const daysLeft = daysBetween(ctx.today, row.validTo);
      await kernel.ports.notices.addAlert(
        ctx.tx,
        {
          businessKey: `institution.licence:${row.id}:${ctx.today}`,
          title: `证照提醒：${row.ownerName}${licenceTypes.label(row.licenceType)}${daysLeft < 0 ? '已过期' : `${daysLeft}天后到期`}`,
          link: '/drugstoreManagement?tab=licences',
          permission: institutionPermissions['store.edit'].code,
        },
        ctx.now,
      );
      ctx.target({ type: 'institution.licence', id: row.id, no: row.licenceNo });
    }
    if (ids)
      return [...new Set(ids)].map((id) =>
        rows.some((row) => row.id === id) ? { id, ok: true, message: '已发送' } : { id, ok: false, message: '证照不存在或无需提醒' },
      );
    return [...new Set(storeIds)].map((id) => {
      const sent = rows.filter((row) => row.ownerId === id).length;
      return sent > 0
        ? { id, ok: true, message: `已发送${sent}份证照的提醒` }
        : { id, ok: false, message: `没有${OF_A_STORE_DAYS}天内到期的证照` };
    });
  }),
];
