import { sql } from 'kysely';
import { platformErrors, refuse } from '#kernel/contract/errors.ts';
import { trailOf } from '#kernel/server/audit/transition.ts';
import type { Db, QueryContext } from '#kernel/server/context.ts';
import type { Instant } from '#kernel/contract/time.ts';
import { query } from '#kernel/server/handler.ts';
import type { Kernel } from '#kernel/server/kernel.ts';
import { access as seesPatient } from '#domains/patient/server/index.ts';
import {
  previewMaterial,
  queryMaterialDetail,
  queryMaterialOptions,
  queryMaterialUsage,
  type ShownContent,
} from '../../contract/materials/calls.ts';
import { filesOf, type MaterialContent } from '../../contract/materials/content.ts';
import { MATERIAL_TARGET } from '../../contract/materials/dictionaries.ts';
import { renderMaterial } from '../../contract/materials/render.ts';
import { exampleValues, textVariables } from '../../contract/materials/text.ts';
import { corpusPermissions } from '../../contract/permissions.ts';
import { own } from '../database.ts';
import { readTexts } from '../engine/texts.ts';
import { openUnits } from '../facts/units.ts';
import { factsOfContents } from './facts.ts';
import { pictureUrl } from './pictures.ts';
import { submittedVersions } from './review.ts';
import { materialColumns, materials, presentMaterials } from './rows.ts';
import { wordsInUse } from './words.ts';

async function shown(
  kernel: Kernel,
  db: Db,
  now: Instant,
  contents: readonly (MaterialContent | null)[],
): Promise<(ShownContent | null)[]> {
  const facts = await factsOfContents(
    db,
    contents.filter((content) => content !== null),
  );
  let next = 0;
  return contents.map((content) => {
    if (content === null) return null;
    const { image, ...rest } = facts[next++]!;
    return {
      content,
      facts: { ...rest, image: image && { fileId: image.fileId, fileName: image.fileName, size: image.size } },
      pictureUrl: pictureUrl(kernel, filesOf(content)[0] ?? null, now),
    };
  });
}

export const materialDetail = (kernel: Kernel) =>
  query(queryMaterialDetail, async ({ id }, ctx) => {
    const row = await materialColumns(materials(ctx.db))
      .select(['m.draft', 'c.content as currentContent'])
      .where('m.id', '=', id)
      .executeTakeFirst();
    if (!row) throw refuse(platformErrors.NOT_FOUND);
    const { draft: written, currentContent, ...rest } = row;
    const [[material], [current, draft], versions, timeline] = await Promise.all([
      presentMaterials(ctx.db, [rest], ctx.has),
      shown(kernel, ctx.db, ctx.now, [currentContent as MaterialContent | null, written as MaterialContent | null]),
      submittedVersions(ctx.db, 'material', id),
      trailOf(ctx.db, MATERIAL_TARGET, id),
    ]);
    return { material: material!, current: current ?? null, draft: draft ?? null, versions, timeline };
  });

export const materialUsage = query(queryMaterialUsage, async ({ id }, ctx) => {
  const found = await own(ctx.db).selectFrom('corpusMaterial').select('id').where('id', '=', id).executeTakeFirst();
  if (!found) throw refuse(platformErrors.NOT_FOUND);
  const { rows } = await sql<{
    kind: 'SCHEDULE' | 'CYCLE';
    diseaseId: string;
    diseaseName: string;
    sceneId: string;
    sceneName: string;
    state: 'UNPUBLISHED' | 'RUNNING' | 'SUSPENDED' | 'OFFLINE';
    dayOffset: number | null;
    sendTime: string;
  }>`
    select used.kind, d.id as disease_id, d.disease_name, s.id as scene_id, s.name as scene_name, p.state, used.day_offset, used.send_time
      from (
        select 'SCHEDULE' as kind, scene_package_id, day_offset, send_time
          from corpus_schedule_item
          where material_ids @> array[${id}]::bigint[]
        union all
        select 'CYCLE', scene_package_id, null, send_time
          from corpus_package_cycle
          where material_ids @> array[${id}]::bigint[]
      ) as used
      join corpus_scene_package p on p.id = used.scene_package_id
      join corpus_scene s on s.id = p.scene_id and s.deleted_at is null
      join corpus_disease d on d.id = s.disease_id
      order by d.sort_no, s.sort_no, s.id, used.kind desc, used.day_offset, used.send_time limit 500`.execute(ctx.db);
  return rows;
});

/** Values of the text variables of one patient, as the engine would fill them in his latest conversation. @throws Refusal SCM90040 */
async function valuesOf(ctx: QueryContext, patientId: string): Promise<Readonly<Record<string, string>>> {
  if (!(await seesPatient(ctx.db, patientId, ctx.staff, ctx.now))) throw refuse(platformErrors.NOT_FOUND);
  const unit = (await openUnits(ctx.db, [patientId])).get(patientId)?.at(-1);
  const addressed = { patientId, conversationId: unit?.conversationId ?? null, doctorId: unit?.doctorId ?? null, diseaseId: null };
  const shown = textVariables.map(({ name }) => name);
  return (await readTexts(ctx.db, [addressed], { shown, medicineIds: [] }, ctx.now)).values(addressed);
}

export const materialPreview = query(previewMaterial, async ({ content, patientId }, ctx) => {
  // Values of a patient are his facts.
  if (patientId !== undefined) ctx.requirePermission(corpusPermissions['run.view']);
  const values = patientId === undefined ? exampleValues : await valuesOf(ctx, patientId);
  const [facts] = await factsOfContents(ctx.db, [content]);
  const bubble = renderMaterial(content, { ...facts!, values, sendId: 'preview', token: null });
  return { values, bubble: bubble && { type: bubble.type, payload: { ...bubble.payload } } };
});

export const materialOptions = query(queryMaterialOptions, async (_input, ctx) => {
  const [words, tags] = await Promise.all([
    wordsInUse(ctx.db),
    sql<{ tag: string }>`
      select tag from corpus_material, unnest(tags) as tag group by tag order by count(*) desc, tag limit 100`.execute(ctx.db),
  ]);
  return { words, tags: tags.rows.map(({ tag }) => tag) };
});
