import { contractActivated } from '#events/enrolment.ts';
import { moveState } from '#kernel/server/audit/transition.ts';
import { asSystem } from '#kernel/server/command/acting.ts';
import { nextNumber } from '#kernel/server/command/numbers.ts';
import type { Consumer, Kernel } from '#kernel/server/kernel.ts';
import { dayOf } from '#kernel/contract/time.ts';
import { idTypes, type IdType } from '#domains/patient/contract/dictionaries.ts';
import { grantMachine } from '../../contract/grantStates.ts';
import { own } from '../database.ts';
import { termsOf } from '../types/terms.ts';
import { on } from '../use/events.ts';
import { executeJob } from './execute.ts';
import { isPossibleIdNo, lineColumns, tidyIdNo } from './lines.ts';

const ID_TYPES: Readonly<Record<string, IdType>> = { ID_CARD: 'ID', HK_MO: 'HKMO' };
const idTypeOf = (code: string): IdType => ID_TYPES[code] ?? idTypes.codes.find((one) => one === code) ?? 'ID';

/** A contract that begins gives its holder one card of each type in use that is bound to the product, up to the type's face. */
export const contractConsumer = (kernel: Kernel): Consumer =>
  on(contractActivated, async (payload, writing) => {
    const { tx, now, traceId } = writing;
    const { holder } = payload;
    if (holder.mobileCipher === null || holder.idNoCipher === null) return;
    const idNo = kernel.secrets.decrypt(holder.idNoCipher);
    if (!isPossibleIdNo(idTypeOf(holder.idType), tidyIdNo(idNo))) return;
    const mobile = kernel.secrets.decrypt(holder.mobileCipher);
    const types = await own(tx)
      .selectFrom('cardType')
      .selectAll()
      .where('productCode', '=', payload.productCode)
      .where('status', '=', 'ENABLED')
      .orderBy('id')
      .execute();
    for (const type of types) {
      const terms = termsOf(type.rules);
      const grant = await own(tx)
        .insertInto('cardGrant')
        .values({
          grantNo: await nextNumber(tx, 'GR', dayOf(now)),
          cardTypeId: type.id,
          source: 'CONTRACT',
          sourceKey: `contract:${payload.contractId}:${type.id}`,
          purpose: `合同${payload.contractNo}生效`,
          totalCount: 1,
          totalAmount: String(terms.faceAmount),
          totalBonus: String(terms.bonusAmount),
          status: 'DRAFT',
          createdByName: '系统',
          createdAt: now,
        })
        .onConflict((conflict) => conflict.column('sourceKey').doNothing())
        .returning(['id', 'grantNo', 'status'])
        .executeTakeFirst();
      if (!grant) continue;
      await own(tx)
        .insertInto('cardGrantLine')
        .values({
          grantId: grant.id,
          cardTypeId: type.id,
          rowNo: 1,
          ...lineColumns(kernel.secrets, {
            holderName: holder.name,
            idType: idTypeOf(holder.idType),
            idNo,
            mobile,
            amount: terms.faceAmount,
            bonus: terms.bonusAmount,
            effectiveFrom: null,
            expireOn: payload.endDate,
            policyNo: payload.policyNo,
            outerSerialNo: `HT${payload.contractId}`,
          }),
        })
        .execute();
      const status = await moveState(asSystem(writing, { now, traceId }), grantMachine, {
        targetType: 'card.grant',
        targetId: grant.id,
        targetNo: grant.grantNo,
        action: 'auto',
        from: grant.status,
      });
      await own(tx).updateTable('cardGrant').set({ status }).where('id', '=', grant.id).execute();
      await writing.enqueue(executeJob(kernel), { grantId: grant.id });
    }
  });
