import { platformErrors } from '#kernel/contract/errors.ts';
import { plusDays, startOfDay, type Day } from '#kernel/contract/time.ts';
import { moveState } from '#kernel/server/audit/transition.ts';
import { command, type Handler } from '#kernel/server/handler.ts';
import type { Kernel } from '#kernel/server/kernel.ts';
import { remindCert } from '../../contract/calls/certs.ts';
import { certMachine } from '../../contract/states.ts';
import { ownTx } from '../database.ts';
import { CERT_TARGET, notifyCertEnd } from './expireJob.ts';
import { certColumns, certList, presentCert } from './list.ts';

/** How long until a certificate may be reminded of again, in the wording of SCM90011. */
const tooFrequent = (now: string, today: Day) =>
  platformErrors.TOO_FREQUENT.text.replace('{n}', String(Math.ceil((Date.parse(startOfDay(plusDays(today, 1))) - Date.parse(now)) / 1000)));

export const certHandlers = (kernel: Kernel): readonly Handler[] => [
  certList.handler,
  command(remindCert, async ({ certIds }, ctx) => {
    const ids = [...new Set(certIds)];
    const asked = { db: ctx.tx, staff: ctx.staff, now: ctx.now, today: ctx.today, has: ctx.has, filter: { days: 3650 } };
    const rows = await certColumns(await certList.matching(asked))
      .where('c.id', 'in', ids)
      .execute();
    const results = [];
    for (const id of ids) {
      const raw = rows.find(({ certId }) => certId === id);
      if (!raw) {
        results.push({ id, name: '', ok: false, message: '证件不存在或无需提醒' });
        continue;
      }
      const marked = await ownTx(ctx.tx)
        .updateTable('doctorCert')
        .set({ remindedByHandOn: ctx.today, updatedAt: ctx.now })
        .where('id', '=', id)
        .where((eb) => eb.or([eb('remindedByHandOn', 'is', null), eb('remindedByHandOn', '<>', ctx.today)]))
        .returning('id')
        .executeTakeFirst();
      if (marked) {
        const row = presentCert(raw, ctx.today);
        await moveState(ctx, certMachine, { targetType: CERT_TARGET, targetId: id, action: 'remind', from: raw.state });
        await notifyCertEnd(ctx, kernel, { ...row, id }, `doctor.cert.hand:${id}:${ctx.today}`);
      }
      results.push({ id, name: raw.name, ok: marked !== undefined, message: marked ? '已发送' : tooFrequent(ctx.now, ctx.today) });
    }
    return results;
  }),
];
