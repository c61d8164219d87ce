import { sql } from 'kysely';
import { dayOf, days, plusDays, plusMs, startOfDay } from '#kernel/contract/time.ts';
import { everyone } from '#kernel/server/auth/viewer.ts';
import { nextSerial } from '#kernel/server/command/numbers.ts';
import { bulk, reserve } from '#kernel/server/demo/bulk.ts';
import type { DemoContext } from '#kernel/server/module.ts';
import { pinyinText } from '#kernel/server/text/pinyin.ts';
import { publishDemoMarks } from '../marks/demo.ts';
import type { ContentMark, ContentPromotionTag } from '../tables.ts';

interface DemoTag {
  name: string;
  text: string;
  style: ContentPromotionTag['style'];
  color: ContentMark['color'];
  /** Days from today; null: without limit. */
  from: number | null;
  to: number | null;
  /** How many medicines carry it. */
  medicines: number;
  off?: boolean;
}

const tag = (
  name: string,
  text: string,
  style: DemoTag['style'],
  color: DemoTag['color'],
  period: readonly [number | null, number | null],
  medicines: number,
  off = false,
): DemoTag => ({ name, text, style, color, from: period[0], to: period[1], medicines, off });

/** content.md §Demo data: 18 tags, in the order of their priority. */
const groups: readonly { name: string; tags: readonly DemoTag[] }[] = [
  {
    name: '保障权益',
    tags: [
      tag('惠民保可用', '惠民保可用', 'PILL', 'green', [null, null], 60),
      tag('特药目录内', '特药', 'CORNER', 'red', [-120, null], 24),
      tag('双通道供应', '双通道', 'PILL', 'blue', [-90, null], 20),
      tag('门慢可报', '门慢可报', 'PILL', 'cyan', [-60, 120], 18),
      tag('慈善赠药', '慈善赠药', 'CORNER', 'magenta', [-45, 200], 10),
      tag('商保直付', '商保直付', 'TEXT', 'purple', [-30, 90], 14),
    ],
  },
  {
    name: '营销活动',
    tags: [
      tag('满三百减三十', '满额立减', 'PILL', 'orange', [-10, 20], 16),
      tag('首单立减', '首单立减', 'PILL', 'red', [-15, 15], 15),
      tag('第二件半价', '2件半价', 'CORNER', 'orange', [-5, 10], 8),
      tag('国庆用药关怀', '国庆关怀', 'CORNER', 'red', [-60, -45], 12),
      tag('会员专享', '会员专享', 'TEXT', 'gold', [null, null], 12),
      tag('疗程优惠', '疗程优惠', 'TEXT', 'green', [-20, 40], 10),
      tag('新年囤药', '新年囤药', 'CORNER', 'gold', [30, 60], 9),
    ],
  },
  {
    name: '服务特色',
    tags: [
      tag('新品上市', '新品', 'CORNER', 'blue', [-40, 50], 8),
      tag('冷链到家', '冷链到家', 'TEXT', 'cyan', [null, null], 12),
      tag('药师指导', '药师指导', 'TEXT', 'purple', [null, null], 10),
      tag('次日送达', '次日达', 'PILL', 'blue', [-100, null], 12),
      tag('春节不打烊', '春节不打烊', 'PILL', 'default', [-300, -270], 8, true),
    ],
  },
];

/** How many medicines carry tags. */
const MEDICINES = 120;
const pagesOf = (index: number) => (index % 3 === 0 ? ['MP_HOME', 'MP_MALL', 'MP_DRUG_DETAIL'] : ['MP_MALL', 'MP_DRUG_DETAIL']);

/** Promotion tags and the medicines that carry them; the first by an import from a product's list. */
export async function writePromotionDemo({ kernel, now, transaction }: DemoContext): Promise<void> {
  await transaction(async (writing) => {
    const { tx } = writing;
    const { rows: there } = await sql`select 1 from content_promotion_tag limit 1`.execute(tx);
    if (there.length > 0) return;
    const timestamps = { version: 1, createdAt: plusMs(now, -days(150)), updatedAt: plusMs(now, -days(20)) };
    const found = (await kernel.registry.objectTypes.get('MEDICINE')?.search(tx, everyone, '', MEDICINES, now)) ?? [];
    const groupIds = await reserve(tx, 'content_tag_group', groups.length);
    await bulk(
      tx,
      'content_tag_group',
      groups.map(({ name }, place) => ({
        id: groupIds[place]!,
        groupName: name,
        objectType: 'MEDICINE',
        kind: 'PROMOTION',
        selectMode: 'MULTI',
        color: 'orange',
        sensitive: false,
        manualAllowed: true,
        maxPerObject: null,
        sortNo: 100 + place,
        state: 'ENABLED',
        ...timestamps,
      })),
    );
    const marks: Record<string, unknown>[] = [];
    const cards: Record<string, unknown>[] = [];
    const bindings: Record<string, unknown>[] = [];
    const dayFrom = (n: number | null) => (n === null ? null : startOfDay(plusDays(dayOf(now), n)));
    let place = 0;
    for (const [at, group] of groups.entries()) {
      const ids = await reserve(tx, 'content_mark', group.tags.length);
      for (const [index, one] of group.tags.entries()) {
        const id = ids[index]!;
        const groupId = groupIds[at]!;
        marks.push({
          id,
          groupId,
          markCode: await nextSerial(tx, 'BQ', 5),
          markName: one.name,
          pinyin: pinyinText(one.name),
          color: one.color,
          description: `${group.name}：${one.name}`,
          defaultDays: null,
          sortNo: index + 1,
          state: one.off ? 'DISABLED' : 'ENABLED',
          objectCount: 0,
          ...timestamps,
        });
        cards.push({
          markId: id,
          groupId,
          kind: 'PROMOTION',
          displayText: one.text,
          style: one.style,
          startAt: dayFrom(one.from),
          endAt: dayFrom(one.to),
          priority: 99 - place * 4,
          pages: pagesOf(place),
        });
        for (let nth = 0; nth < Math.min(one.medicines, found.length); nth += 1) {
          bindings.push({
            markId: id,
            groupId,
            objectType: 'MEDICINE',
            selectMode: 'MULTI',
            objectId: found[(nth + (place === 0 ? 0 : 40 + place * 7)) % found.length]!.id,
            source: place === 0 ? 'IMPORT' : 'MANUAL',
            boundAt: plusMs(now, -days(place === 0 ? 18 : 3 + ((nth + place) % 20))),
            note: place === 0 ? '惠民保产品药品清单' : '',
          });
        }
        place += 1;
      }
    }
    await bulk(tx, 'content_mark', marks);
    await bulk(tx, 'content_promotion_tag', cards);
    const ids = await reserve(tx, 'content_mark_binding', bindings.length);
    await bulk(
      tx,
      'content_mark_binding',
      bindings.map((binding, index) => ({ id: ids[index]!, ...binding })),
    );
    await publishDemoMarks(
      writing,
      cards.map(({ markId }) => String(markId)),
    );
  });
}
