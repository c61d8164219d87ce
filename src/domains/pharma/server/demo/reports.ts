import { days, hours, plusMs, dayOf, type Instant } from '#kernel/contract/time.ts';
import { nextNumber } from '#kernel/server/command/numbers.ts';
import { moveState } from '#kernel/server/audit/transition.ts';
import type { Writing } from '#kernel/server/context.ts';
import type { Secrets } from '#kernel/server/sensitive/secrets.ts';
import { adverseDue } from '../../contract/rules/adverseDue.ts';
import { adverseMachine } from '../../contract/states.ts';
import { ownTx } from '../database.ts';
import { actorOf } from './actor.ts';
import type { DemoMedicine } from './medicines.ts';

/** Seriousness, days ago, state, what happened; two are overdue, one is about a death. */
const rows = [
  ['SERIOUS', 20, 'RECEIVED', '用药后第5天出现全身重度皮疹伴瘙痒'],
  ['DEATH', 0.5, 'RECEIVED', '用药期间发生间质性肺病，抢救无效死亡'],
  ['GENERAL', 40, 'RECEIVED', '轻度腹泻，每日3次'],
  ['GENERAL', 5, 'RECEIVED', '食欲下降'],
  ['SERIOUS', 10, 'CLOSED', '重度皮疹，停药后好转'],
  ['GENERAL', 12, 'FORWARDED', '口腔溃疡'],
  ['SERIOUS', 30, 'CLOSED', 'QT间期延长'],
  ['GENERAL', 33, 'FORWARDED', '恶心呕吐'],
  ['GENERAL', 25, 'CLOSED', '乏力'],
  ['GENERAL', 18, 'INVALID', '与用药无关的感冒'],
  ['SERIOUS', 3, 'RECEIVED', '转氨酶升高至正常上限5倍'],
  ['GENERAL', 2, 'RECEIVED', '皮肤干燥'],
] as const;

export async function writeReports(writing: Writing, secrets: Secrets, medicines: readonly DemoMedicine[], now: Instant): Promise<void> {
  const { tx } = writing;
  const sold = medicines.filter((medicine) => medicine.state === 'ON');
  for (const [index, [seriousness, ago, state, text]] of rows.entries()) {
    const receivedAt = plusMs(now, -days(ago));
    const forwarded = state === 'FORWARDED' || state === 'CLOSED';
    const reportNo = await nextNumber(tx, 'BL', dayOf(now));
    const { id } = await ownTx(tx)
      .insertInto('pharmaAdverseReport')
      .values({
        reportNo,
        medicineId: sold[index < 5 ? 0 : index]!.id,
        patientId: String(10_001 + index),
        sourceTaskId: `demo-${index + 1}`,
        seriousness,
        isNew: index === 10,
        descriptionCipher: secrets.encrypt(text),
        occurredOn: dayOf(plusMs(receivedAt, -days(1))),
        receivedAt,
        dueAt: adverseDue({ seriousness, isNew: index === 10, receivedAt }),
        forwardedAt: forwarded ? plusMs(receivedAt, hours(40)) : null,
        companyReceiptNo: state === 'CLOSED' ? `HZ${2000 + index}` : null,
        state,
        createdAt: receivedAt,
        updatedAt: receivedAt,
      })
      .returning('id')
      .executeTakeFirstOrThrow();
    const target = { targetType: 'pharma.adverseReport', targetId: id, targetNo: reportNo };
    await moveState(actorOf(writing, receivedAt, '系统'), adverseMachine, { ...target, action: 'receive', from: 'RECEIVED' });
    if (forwarded)
      await moveState(actorOf(writing, plusMs(receivedAt, hours(40)), '医学审核'), adverseMachine, {
        ...target,
        action: 'forward',
        from: 'RECEIVED',
      });
    if (state === 'CLOSED')
      await moveState(actorOf(writing, plusMs(receivedAt, days(5)), '医学审核'), adverseMachine, {
        ...target,
        action: 'close',
        from: 'FORWARDED',
      });
    if (state === 'INVALID') {
      for (const [action, actor] of [
        ['proposeInvalid', '医学审核'],
        ['invalidate', '医务复核'],
      ] as const)
        await moveState(actorOf(writing, plusMs(receivedAt, hours(20)), actor), adverseMachine, {
          ...target,
          action,
          from: 'RECEIVED',
          opinion: '与用药无关',
        });
    }
  }
}
