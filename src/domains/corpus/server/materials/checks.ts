import { refuse, refuseField } from '#kernel/contract/errors.ts';
import type { CommandContext, Tx } from '#kernel/server/context.ts';
import { attachAll } from '#domains/files/server/index.ts';
import { filesOf, type MaterialContent } from '../../contract/materials/content.ts';
import { MATERIAL_FILE, MATERIAL_TARGET } from '../../contract/materials/dictionaries.ts';
import { materialErrors } from '../../contract/materials/errors.ts';
import { isAllowedLink } from '#kernel/contract/linkPlaces.ts';
import { wrongVariable } from '../../contract/materials/text.ts';
import { ownTx } from '../database.ts';
import { factsOfContents } from './facts.ts';

/** What a content must hold by its type. @throws Refusal SCM11051, SCM11053, SCM90020 */
export async function checkContent(tx: Tx, content: MaterialContent): Promise<void> {
  if (content.type === 'TEXT') {
    const name = wrongVariable(content.text);
    if (name !== null)
      throw refuse(materialErrors.VARIABLE, { name }, { fields: [{ path: 'content.text', message: `变量“${name}”不存在或缺少缺省值` }] });
  }
  if (content.type === 'ARTICLE' && !isAllowedLink(content.url))
    throw refuse(materialErrors.LINK_NOT_ALLOWED, { fields: [{ path: 'content.url', message: materialErrors.LINK_NOT_ALLOWED.text }] });
  if (content.type === 'MEDICINE_CARD' || content.type === 'QUESTIONNAIRE') {
    const [facts] = await factsOfContents(tx, [content]);
    if (content.type === 'MEDICINE_CARD' && !facts?.medicine) throw refuseField('content.medicineId', '药品不存在或未上架');
    if (content.type === 'QUESTIONNAIRE' && !facts?.questionnaire) throw refuseField('content.questionnaireId', '问卷不存在或未启用');
  }
}

/** @throws Refusal SCM90020 for a folder or a disease that there is not. */
export async function checkPlace(tx: Tx, place: { folderId?: string | null | undefined; diseaseIds: readonly string[] }): Promise<void> {
  const own = ownTx(tx);
  if (place.folderId) {
    const folder = await own
      .selectFrom('corpusMaterialFolder')
      .select('id')
      .where('id', '=', place.folderId)
      .forKeyShare()
      .executeTakeFirst();
    if (!folder) throw refuseField('folderId', '目录不存在');
  }
  const diseaseIds = [...new Set(place.diseaseIds)];
  if (diseaseIds.length === 0) return;
  const known = await own.selectFrom('corpusDisease').select('id').where('id', 'in', diseaseIds).execute();
  if (known.length < diseaseIds.length) throw refuseField('diseaseIds', '病种不存在');
}

/** Pictures stay with the material for as long as a version shows them. */
export const keepFiles = (ctx: CommandContext, materialId: string, content: MaterialContent) =>
  attachAll(
    ctx.tx,
    [
      {
        fileIds: filesOf(content),
        purpose: MATERIAL_FILE,
        ownerType: MATERIAL_TARGET,
        ownerId: materialId,
        field: 'content',
        userId: ctx.staff.userId,
      },
    ],
    ctx.now,
  );
