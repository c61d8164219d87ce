import { createCanvas } from '@napi-rs/canvas';
import { sql } from 'kysely';
import { dayOf, hours, plusMs, type Instant } from '#kernel/contract/time.ts';
import { nextNumbers } from '#kernel/server/command/numbers.ts';
import type { Tx } from '#kernel/server/context.ts';
import { FAMILY, useChineseFont } from '#kernel/server/documents/chineseFont.ts';
import type { DemoContext, Kernel } from '#kernel/server/kernel.ts';
import { attach } from '#domains/files/server/index.ts';
import { searchMedicines } from '#domains/pharma/server/index.ts';
import { plainTextOf } from '../../../contract/materials/content.ts';
import { MATERIAL_FILE, MATERIAL_TARGET } from '../../../contract/materials/dictionaries.ts';
import { forbiddenIn } from '../../../contract/materials/text.ts';
import { ownTx } from '../../database.ts';
import { reviewersOf } from '../../demo/people.ts';
import { MATERIAL_PREFIX } from '../save.ts';
import { forbiddenWords } from '../words.ts';
import { autoTexts, contentsFor, DEMO_MATERIALS, doubtful, type DemoMaterial } from './contents.ts';

type DemoState = 'ENABLED' | 'DISABLED' | 'AUDITING' | 'DRAFT' | 'REVISED';
interface Placed extends DemoMaterial {
  diseaseId: string | null;
  state: DemoState;
}

/** Of twenty, one is written, one is judged, one is out of use, one is revised; the others are in use. */
const demoStates: Readonly<Record<number, DemoState>> = { 4: 'DRAFT', 9: 'AUDITING', 14: 'DISABLED', 18: 'REVISED' };
const COLOURS = ['#1f7a8c', '#3a6b35', '#7a4e8f', '#9a5b13'];

function draw(title: string, colour: string): Buffer {
  const canvas = createCanvas(480, 270);
  const pen = canvas.getContext('2d');
  pen.fillStyle = colour;
  pen.fillRect(0, 0, 480, 270);
  pen.fillStyle = '#ffffff';
  pen.textAlign = 'center';
  pen.textBaseline = 'middle';
  pen.font = `36px ${FAMILY}`;
  pen.fillText(title, 240, 135, 440);
  return canvas.toBuffer('image/jpeg', 80);
}

async function folders(tx: Tx, names: readonly string[], now: Instant): Promise<ReadonlyMap<string, string>> {
  const rows = await ownTx(tx)
    .insertInto('corpusMaterialFolder')
    .values(names.map((name, index) => ({ name, sortNo: index + 1, createdAt: now, updatedAt: now })))
    .returning(['id', 'name'])
    .execute();
  return new Map(rows.map(({ id, name }) => [name, id]));
}

/** Everything that is to be written, in its order; pictures and medicines last. */
async function planned(kernel: Kernel, tx: Tx, editor: string, now: Instant): Promise<Placed[]> {
  const diseases = await ownTx(tx)
    .selectFrom('corpusDisease')
    .select(['id', 'diseaseName'])
    .where('available', '=', 1)
    .orderBy('sortNo')
    .execute();
  const placed: Placed[] = diseases.flatMap(({ id, diseaseName }, index) =>
    contentsFor(diseaseName, index).map((material, at) => ({
      ...material,
      diseaseId: id,
      state: demoStates[(index * 3 + at) % 20] ?? ('ENABLED' as const),
    })),
  );
  for (const [index, { id, diseaseName }] of diseases.entries()) {
    const title = `${diseaseName}-日程图`;
    const body = draw(`${diseaseName} 每日管理`, COLOURS[index % COLOURS.length]!);
    const { fileId } = await kernel.ports.files.store(
      tx,
      { purpose: MATERIAL_FILE, name: `${title}.jpg`, body, contentType: 'image/jpeg', createdBy: editor },
      now,
    );
    placed.push({
      title,
      folder: '健康教育',
      tags: ['图片'],
      kind: 'EDUCATION',
      diseaseId: id,
      state: 'ENABLED',
      content: { type: 'IMAGE', fileId },
    });
  }
  for (const [title, text, state] of doubtful)
    placed.push({ title, folder: '服务', tags: ['活动'], kind: 'PROMO', diseaseId: null, state, content: { type: 'TEXT', text } });
  for (const [title, text] of autoTexts)
    placed.push({
      title,
      folder: '服务',
      tags: ['自动消息'],
      kind: 'SERVICE',
      diseaseId: null,
      state: 'ENABLED',
      content: { type: 'TEXT', text },
    });
  const forms = await ownTx(tx)
    .selectFrom('corpusQuestionnaire')
    .select(['id', 'title'])
    .where('state', '=', 'ENABLED')
    .orderBy('id')
    .execute();
  for (const { id, title } of forms)
    placed.push({
      title: `${title}-填写邀请`,
      folder: '服务',
      tags: ['问卷'],
      kind: 'FORM',
      diseaseId: null,
      state: 'ENABLED',
      content: { type: 'QUESTIONNAIRE', questionnaireId: id, validDays: 7 },
    });
  const medicines = await searchMedicines(tx, '', DEMO_MATERIALS - placed.length);
  for (const { medicineId, genericName } of medicines)
    placed.push({
      title: `${genericName}-药品卡片`.slice(0, 64),
      folder: '用药',
      tags: ['药品'],
      kind: 'MEDICATION',
      diseaseId: null,
      state: 'ENABLED',
      content: { type: 'MEDICINE_CARD', medicineId, note: '请按医嘱使用' },
    });
  for (let at = 1; placed.length < DEMO_MATERIALS; at += 1)
    placed.push({
      title: `通用问候${String(at).padStart(2, '0')}`,
      folder: '关怀',
      tags: ['常用'],
      kind: 'CARE',
      diseaseId: null,
      state: demoStates[at % 20] ?? 'ENABLED',
      content: { type: 'TEXT', text: `{{患者称呼:您}}，第${at}周随访开始了，近期服药、饮食、睡眠有变化请告诉我们。` },
    });
  return placed;
}

async function writeRows(tx: Tx, placed: readonly Placed[], people: { editor: string; auditor: string }, now: Instant): Promise<string[]> {
  const own = ownTx(tx);
  const folderIds = await folders(tx, [...new Set(placed.map(({ folder }) => folder))], now);
  const numbers = await nextNumbers(tx, MATERIAL_PREFIX, dayOf(now), placed.length);
  const timestamps = { createdAt: now, createdBy: people.editor, updatedAt: now, updatedBy: people.editor };
  const ids = (
    await own
      .insertInto('corpusMaterial')
      .values(
        placed.map(({ title, folder, tags, diseaseId, content }, index) => ({
          materialNo: numbers[index]!,
          materialType: content.type,
          title,
          folderId: folderIds.get(folder)!,
          diseaseIds: diseaseId === null ? [] : [diseaseId],
          tags: [...tags],
          state: 'DRAFT' as const,
          editState: 'DRAFT' as const,
          draft: JSON.stringify(content),
          draftBy: people.editor,
          ...timestamps,
        })),
      )
      .returning('id')
      .execute()
  ).map(({ id }) => id);
  const submitted = placed.flatMap((material, index) => (material.state === 'DRAFT' ? [] : [{ ...material, id: ids[index]! }]));
  const at = plusMs(now, -hours(48));
  await own
    .insertInto('corpusMaterialVersion')
    .values(
      submitted.map(({ id, content, state }) => ({
        materialId: id,
        seq: 1,
        content: JSON.stringify(content),
        textPlain: plainTextOf(content),
        forbiddenHits: forbiddenIn(plainTextOf(content), forbiddenWords).map(({ word }) => word),
        submittedBy: people.editor,
        submittedAt: at,
        ...(state === 'AUDITING'
          ? { state: 'AUDITING' as const }
          : { state: 'APPROVED' as const, auditorId: people.auditor, auditedAt: plusMs(at, hours(3)), opinion: '内容无误' }),
      })),
    )
    .execute();
  const withState = (state: DemoState) => submitted.filter((material) => material.state === state).map(({ id }) => id);
  await sql`
    update corpus_material m set state = case when m.id = any (${withState('DISABLED')}::bigint[]) then 'DISABLED' else 'ENABLED' end,
      edit_state = 'NONE', draft = null, draft_by = null, current_version_id = v.id, version = 3
    from corpus_material_version v where v.material_id = m.id and v.state = 'APPROVED'`.execute(tx);
  await sql`
    update corpus_material m set state = 'AUDITING', edit_state = 'AUDITING', audit_version_id = v.id, version = 2
    from corpus_material_version v where v.material_id = m.id and v.state = 'AUDITING'`.execute(tx);
  await sql`
    update corpus_material m set edit_state = 'DRAFT', draft = v.content, draft_by = ${people.editor}, version = 4
    from corpus_material_version v where v.id = m.current_version_id and m.id = any (${withState('REVISED')}::bigint[])`.execute(tx);
  return ids;
}

/** Schedule items and cycles of the demonstration send what is written for their disease and kind. */
async function spread(tx: Tx, placed: readonly Placed[], ids: readonly string[]): Promise<void> {
  const offers = placed.flatMap(({ diseaseId, kind, state }, index) =>
    diseaseId !== null && state === 'ENABLED' ? [{ diseaseId, kind, id: ids[index]! }] : [],
  );
  await sql`
    with offer as (
      select *
        from unnest(
          ${offers.map((one) => one.diseaseId)}::bigint[], ${offers.map((one) => one.kind)}::text[],
          ${offers.map((one) => one.id)}::bigint[]
        ) as o (disease_id, kind, id)
    ) update corpus_schedule_item i
    set material_ids = array(
      select o.id
        from offer o
        where o.disease_id = p.disease_id and o.kind = i.touch_kind
        order by o.id offset (i.id % 2) limit 1 + (i.id % 2)
    )
    from corpus_scene_package p
    where p.id = i.scene_package_id`.execute(tx);
  await sql`
    with offer as (
      select *
        from unnest(
          ${offers.map((one) => one.diseaseId)}::bigint[], ${offers.map((one) => one.kind)}::text[],
          ${offers.map((one) => one.id)}::bigint[]
        ) as o (disease_id, kind, id)
    ) update corpus_package_cycle y
    set material_ids = array(
      select o.id
        from offer o
        where o.disease_id = p.disease_id and o.kind = y.touch_kind
        order by o.id limit case y.play_mode when 'SAME' then 2 else 6 end
    )
    from corpus_scene_package p
    where p.id = y.scene_package_id`.execute(tx);
}

/** The library of the demonstration: all types in all states. */
export async function writeMaterials({ kernel, transaction, now }: DemoContext): Promise<void> {
  useChineseFont();
  await transaction(async ({ tx }) => {
    const people = await reviewersOf(tx);
    const placed = await planned(kernel, tx, people.editor, now);
    const ids = await writeRows(tx, placed, people, now);
    for (const [index, { content }] of placed.entries()) {
      if (content.type !== 'IMAGE') continue;
      await attach(
        tx,
        {
          fileIds: [content.fileId],
          purpose: MATERIAL_FILE,
          ownerType: MATERIAL_TARGET,
          ownerId: ids[index]!,
          field: 'content',
          userId: people.editor,
        },
        now,
      );
    }
    await spread(tx, placed, ids);
  });
}
