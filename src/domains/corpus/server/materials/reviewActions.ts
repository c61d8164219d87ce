import { sql } from 'kysely';
import { refuse } from '#kernel/contract/errors.ts';
import type { CommandContext, Tx } from '#kernel/server/context.ts';
import { command } from '#kernel/server/handler.ts';
import type { Kernel } from '#kernel/server/kernel.ts';
import { auditMaterial } from '../../contract/materials/calls.ts';
import { plainTextOf, type MaterialContent } from '../../contract/materials/content.ts';
import { materialErrors } from '../../contract/materials/errors.ts';
import { checkContent } from './checks.ts';
import { lockReviewed, submitterOf, performReviewAction, type Reviewed } from './review.ts';

/** Scenes that run and name the material, in the version in force or in what is being written. */
export async function runningUses(tx: Tx, materialId: string): Promise<number> {
  const { rows } = await sql<{ n: number }>`
    select count(distinct p.id)::int as n
      from corpus_scene_package p
      where p.state = 'RUNNING'
        and (
          exists (select from corpus_schedule_item i where i.scene_package_id = p.id and i.material_ids @> array[${materialId}]::bigint[])
          or exists (
            select from corpus_package_cycle y where y.scene_package_id = p.id and y.material_ids @> array[${materialId}]::bigint[]
          )
          or exists (
            select from corpus_package_version v
              where v.scene_package_id = p.id
                and v.state = 'PUBLISHED'
                and (
                  v.snapshot #> '{cycle,materialIds}' ? ${materialId}
                  or jsonb_path_exists(
                    v.snapshot, '$.schedule[*].materialIds[*] ? (@ == $id)', jsonb_build_object('id', ${materialId}::text)
                  )
                )
          )
        )`.execute(tx);
  return rows[0]!.n;
}

async function notifySubmitter(kernel: Kernel, ctx: CommandContext, row: Reviewed, submitter: string, approved: boolean, opinion?: string) {
  await kernel.ports.notices.addResult(
    ctx.tx,
    {
      businessKey: `corpus.material:${row.id}:${row.version}`,
      title: `素材“${row.title}”${approved ? '已通过审核' : '被驳回'}`,
      ...(opinion && { body: opinion }),
      link: `/corpus?view=material&materialId=${row.id}`,
      userIds: [submitter],
    },
    ctx.now,
  );
}

export const auditMaterialHandler = (kernel: Kernel) =>
  command(auditMaterial, async ({ id, version, action, opinion, confirmed }, ctx) => {
    const row = await lockReviewed(ctx, 'material', id, version);
    const draft = row.draft as MaterialContent | null;
    // What it names may have gone since it was written, or since it was submitted.
    if (draft && (action === 'submit' || action === 'approve')) await checkContent(ctx.tx, draft);
    const submitter = await submitterOf(ctx.tx, 'material', row);
    const answer = await performReviewAction(ctx, 'material', row, { action, opinion, text: draft ? plainTextOf(draft) : '' });
    if (action === 'disable' && confirmed !== true) {
      const n = await runningUses(ctx.tx, id);
      if (n > 0) throw refuse(materialErrors.MATERIAL_USED, { n });
    }
    if (submitter !== null && (action === 'approve' || action === 'reject'))
      await notifySubmitter(kernel, ctx, row, submitter, action === 'approve', opinion);
    return answer;
  });
