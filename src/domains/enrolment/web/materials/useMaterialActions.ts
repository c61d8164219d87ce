import { askTransition } from '#kernel/web/feedback/askTransition.ts';
import { factsIn } from '#kernel/web/detail/factsIn.tsx';
import { useCommand } from '#kernel/web/http/queries.ts';
import { newKey } from '#kernel/web/http/request.ts';
import {
  auditOtherMaterial,
  queryOtherMaterialCounts,
  queryOtherMaterialDetail,
  queryOtherMaterialList,
  takeoverOtherMaterial,
  type OtherMaterialRow,
} from '../../contract/calls/otherMaterials.ts';
import { otherMaterialMachine } from '../../contract/materialStates.ts';

export const materialReads = [queryOtherMaterialList, queryOtherMaterialCounts, queryOtherMaterialDetail];

type Named = Pick<OtherMaterialRow, 'id' | 'materialNo' | 'version' | 'insuredName' | 'kind'>;
const shownOf = (row: Named) => factsIn(queryOtherMaterialList.output, row, ['materialNo', 'insuredName', 'kind']);

/** What is done with a case from its row. */
export function useMaterialActions() {
  const take = useCommand(takeoverOtherMaterial, { success: '操作成功!', refreshes: materialReads });
  const audit = useCommand(auditOtherMaterial, { success: 'message', refreshes: materialReads });
  return {
    async takeover(row: Named) {
      const opinion = await askTransition(otherMaterialMachine, 'takeover', `材料${row.materialNo}`, shownOf(row));
      if (opinion !== null) await take.run({ materialId: row.id, opinion });
    },
    async withdraw(row: Named) {
      const opinion = await askTransition(otherMaterialMachine, 'withdraw', `材料${row.materialNo}`, shownOf(row));
      if (opinion === null) return;
      const input = { materialId: row.id, version: row.version, action: 'withdraw' as const, opinion };
      await audit.run(input, { idempotencyKey: newKey() });
    },
  };
}
