import { factsIn } from '#kernel/web/detail/factsIn.tsx';
import { ask, confirmDelete } from '#kernel/web/feedback/dialogs.tsx';
import { askTransition } from '#kernel/web/feedback/askTransition.ts';
import { SERVER_MESSAGE, useCommand } from '#kernel/web/http/queries.ts';
import { RefusalError } from '#kernel/web/http/refusal.ts';
import {
  auditMaterial,
  delMaterial,
  queryMaterialDetail,
  queryMaterialFolderList,
  queryMaterialList,
  queryMaterialOptions,
  type MaterialRow,
} from '../../contract/materials/calls.ts';
import { materialErrors } from '../../contract/materials/errors.ts';
import { reviewMachine, type ReviewAction } from '../../contract/materials/review.ts';

export const materialRefreshes = [queryMaterialList, queryMaterialDetail, queryMaterialFolderList, queryMaterialOptions];
/** What a question about a material shows. */
const ABOUT = ['materialNo', 'materialType', 'folderName', 'diseaseNames', 'usageCount'] as const;
type Acted = Pick<MaterialRow, 'id' | 'version' | 'title' | (typeof ABOUT)[number]>;
const USED = materialErrors.MATERIAL_USED.code;

/** The acts on materials, each with its question. */
export function useMaterialActions(onDone: () => void = () => {}) {
  const audit = useCommand(auditMaterial, { success: SERVER_MESSAGE, refreshes: materialRefreshes, onSuccess: onDone });
  const removal = useCommand(delMaterial, { success: '删除成功!', refreshes: materialRefreshes, onSuccess: onDone });
  /** Whoever disables what running scenes send is told how many, and asked once more. */
  const disable = async (row: Acted, opinion: string) => {
    const input = { id: row.id, version: row.version, action: 'disable', opinion } as const;
    try {
      await audit.run(input, { quiet: [USED] });
    } catch (error) {
      if (!(error instanceof RefusalError) || error.code !== USED) throw error;
      if (await ask({ title: '停用', content: error.message, facts: factsIn(queryMaterialList.output, row, ABOUT), danger: true }))
        await audit.run({ ...input, confirmed: true });
    }
  };
  const take = async (row: Acted, action: ReviewAction) => {
    const given = await askTransition(reviewMachine, action, `素材“${row.title}”`, factsIn(queryMaterialList.output, row, ABOUT));
    if (given === null) return;
    if (action === 'disable') await disable(row, given);
    else await audit.run({ id: row.id, version: row.version, action, ...(given && { opinion: given }) });
  };
  const remove = async (row: Pick<MaterialRow, 'id' | 'version' | 'title' | 'materialNo'>) => {
    if (await confirmDelete(`素材“${row.title}”（${row.materialNo}）`)) await removal.run({ id: row.id, version: row.version });
  };
  return { take, remove, audit };
}
