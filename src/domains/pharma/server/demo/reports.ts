import { days, hours, plusMs, dayOf, type Instant } from '../../../../kernel/contract/time.ts';
import { nextNumber } from '../../../../kernel/server/command/numbers.ts';
import type { Tx } from '../../../../kernel/server/context.ts';
import type { Secrets } from '../../../../kernel/server/sensitive/secrets.ts';
import { adverseDue } from '../../contract/rules/adverseDue.ts';
import { pharmaTx } from '../database.ts';
import type { DemoMedicine } from './medicines.ts';

/** Seriousness, days ago, state, what happened; two are overdue, one is about a death. */
const rows = [
  ['SERIOUS', 20, 'RECEIVED', '用药后第5天出现全身重度皮疹伴瘙痒'], ['DEATH', 0.5, 'RECEIVED', '用药期间发生间质性肺病，抢救无效死亡'], ['GENERAL', 40, 'RECEIVED', '轻度腹泻，每日3次'], ['GENERAL', 5, 'RECEIVED', '食欲下降'],
  ['SERIOUS', 10, 'FORWARDED', '重度皮疹，停药后好转'], ['GENERAL', 12, 'FORWARDED', '口腔溃疡'], ['SERIOUS', 30, 'CLOSED', 'QT间期延长'], ['GENERAL', 33, 'CLOSED', '恶心呕吐'], ['GENERAL', 25, 'CLOSED', '乏力'],
  ['GENERAL', 18, 'INVALID', '与用药无关的感冒'], ['SERIOUS', 3, 'RECEIVED', '转氨酶升高至正常上限5倍'], ['GENERAL', 2, 'RECEIVED', '皮肤干燥'],
] as const;

export async function writeReports(tx: Tx, secrets: Secrets, medicines: readonly DemoMedicine[], now: Instant): Promise<void> {
  const sold = medicines.filter((medicine) => medicine.state === 'ON');
  for (const [index, [seriousness, ago, state, text]] of rows.entries()) {
    const receivedAt = plusMs(now, -days(ago));
    const forwarded = state === 'FORWARDED' || state === 'CLOSED';
    await pharmaTx(tx)
      .insertInto('pharmaAdverseReport')
      .values({
        reportNo: await nextNumber(tx, 'BL', dayOf(now)), medicineId: sold[index < 5 ? 0 : index]!.id, patientId: String(10_001 + index), sourceTaskId: `demo-${index + 1}`, seriousness, isNew: index === 10,
        descriptionCipher: secrets.encrypt(text), occurredOn: dayOf(plusMs(receivedAt, -days(1))), receivedAt, dueAt: adverseDue({ seriousness, isNew: index === 10, receivedAt }),
        forwardedAt: forwarded ? plusMs(receivedAt, hours(40)) : null, companyReceiptNo: state === 'CLOSED' ? `HZ${2000 + index}` : null, state, createdAt: receivedAt, updatedAt: receivedAt,
      })
      .execute();
  }
}
