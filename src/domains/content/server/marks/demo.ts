import { sql } from 'kysely';
import { days, plusMs, type Instant } from '../../../../kernel/contract/time.ts';
import { bulk, reserve } from '../../../../kernel/server/demo/bulk.ts';
import { everyone } from '../../../../kernel/server/auth/viewer.ts';
import type { Tx } from '../../../../kernel/server/context.ts';
import type { DemoContext } from '../../../../kernel/server/module.ts';
import { pinyinText } from '../../../../kernel/server/text/pinyin.ts';
import { nextSerial } from '../../../../kernel/server/command/numbers.ts';
import { publishDemoMarks } from './demoEvents.ts';
import { demoGroups } from './demoTexts.ts';

/** How many things of each kind carry marks. */
const OBJECTS = { PATIENT: 600, DOCTOR: 240, MEDICINE: 160, CHANNEL: 90, DRUGSTORE: 120, MATERIAL: 120 } as const;
const SOURCES = ['MANUAL', 'MANUAL', 'IMPORT'] as const;

interface Placed {
  id: string;
  mode: string;
  objectType: keyof typeof OBJECTS;
  marks: readonly string[];
}

async function writeGroups(tx: Tx, now: Instant): Promise<Placed[]> {
  const timestamps = { version: 1, createdAt: plusMs(now, -days(200)), updatedAt: plusMs(now, -days(30)) };
  const groupIds = await reserve(tx, 'content_tag_group', demoGroups.length);
  await bulk(
    tx,
    'content_tag_group',
    demoGroups.map((group, index) => ({
      id: groupIds[index]!,
      groupName: group.name,
      objectType: group.objectType,
      selectMode: group.mode,
      color: group.color,
      sensitive: group.sensitive ?? false,
      manualAllowed: true,
      maxPerObject: group.mode === 'MULTI' ? 5 : null,
      sortNo: index + 1,
      state: group.closed ? 'DISABLED' : 'ENABLED',
      ...timestamps,
    })),
  );
  const placed: Placed[] = [];
  const marks: Record<string, unknown>[] = [];
  for (const [index, group] of demoGroups.entries()) {
    const ids = await reserve(tx, 'content_mark', group.marks.length);
    placed.push({ id: groupIds[index]!, mode: group.mode, objectType: group.objectType, marks: ids });
    for (const [place, markName] of group.marks.entries()) {
      marks.push({
        id: ids[place]!,
        groupId: groupIds[index]!,
        markCode: await nextSerial(tx, 'BQ', 5),
        markName,
        pinyin: pinyinText(markName),
        color: group.color,
        description: `${group.name}：${markName}`,
        defaultDays: group.name === '运营活动' ? 90 : null,
        sortNo: place + 1,
        state: 'ENABLED',
        objectCount: 0,
        ...timestamps,
      });
    }
  }
  await bulk(tx, 'content_mark', marks);
  return placed;
}

/** Marks in turn on the first things of a kind: one of each group, of a group of several choices a second one on every third. */
function bindingsOf(group: Placed, turn: number, objects: readonly string[], now: Instant): Record<string, unknown>[] {
  const count = group.marks.length;
  return objects.flatMap((objectId, index) => {
    const first = (index + turn) % count;
    const second = group.mode === 'MULTI' && index % 3 === 0 ? [(first + 1) % count] : [];
    return [first, ...second].map((place) => ({
      markId: group.marks[place]!,
      groupId: group.id,
      objectType: group.objectType,
      selectMode: group.mode,
      objectId,
      source: SOURCES[(index + place) % SOURCES.length]!,
      boundAt: plusMs(now, -days(1 + ((index + turn * 7) % 120))),
      note: '',
    }));
  });
}

/** content.md §Demo data: tag groups, marks, and what carries them. */
export async function writeMarkDemo({ kernel, now, transaction }: DemoContext): Promise<void> {
  await transaction(async (writing) => {
    const { tx } = writing;
    const { rows: there } = await sql`select 1 from content_tag_group limit 1`.execute(tx);
    if (there.length > 0) return;
    const groups = await writeGroups(tx, now);
    const objects = new Map<string, string[]>();
    for (const [code, most] of Object.entries(OBJECTS)) {
      const found = (await kernel.registry.objectTypes.get(code)?.search(tx, everyone, '', most, now)) ?? [];
      objects.set(
        code,
        found.map(({ id }) => id),
      );
    }
    const bindings = groups.flatMap((group, turn) => bindingsOf(group, turn, objects.get(group.objectType) ?? [], now));
    const ids = await reserve(tx, 'content_mark_binding', bindings.length);
    await bulk(
      tx,
      'content_mark_binding',
      bindings.map((binding, index) => ({ id: ids[index]!, ...binding })),
    );
    await publishDemoMarks(
      writing,
      groups.flatMap(({ marks }) => marks),
    );
  });
}
