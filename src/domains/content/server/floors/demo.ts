import { sql } from 'kysely';
import { days, minutes, plusMs, type Instant } from '#kernel/contract/time.ts';
import { everyone } from '#kernel/server/auth/viewer.ts';
import type { Tx } from '#kernel/server/context.ts';
import { bulk, reserve } from '#kernel/server/demo/bulk.ts';
import type { DemoContext } from '#kernel/server/module.ts';
import type { ObjectLabel } from '#kernel/server/objectTypes.ts';
import { everybody } from '../../contract/delivery/audience.ts';
import { pageCodes, type PageCode } from '../../contract/floors/clientPages.ts';
import { itemTypeOf, type FloorType } from '../../contract/floors/dictionaries.ts';
import type { FloorContent, FloorItem } from '../../contract/floors/shape.ts';
import type { ReleaseState } from '../../contract/releases/states.ts';
import { offeredOf } from '../delivery/offered.ts';
import { demoFloors, demoItems, demoReleases } from './demoTexts.ts';

const PER_FLOOR = 6;
const MOST = 120;
/** A floor of the demonstration that shows what carries a promotion tag. */
const BY_RULE = '惠民保可用药品';
type Objects = Readonly<Record<'MEDICINE' | 'DOCTOR', readonly ObjectLabel[]>>;

function itemsOf(type: FloorType, turn: number, objects: Objects): FloorItem[] {
  const blank = { startAt: null, endAt: null, link: '', title: '', objectNo: '', objectId: null, imageFileId: null };
  const objectType = itemTypeOf(type);
  if (objectType === null)
    return (demoItems[type] ?? []).map((title) => ({ ...blank, title, link: type === 'NOTICE' ? '' : '/pages/service/index' }));
  const all = objects[objectType];
  const from = all.length === 0 ? 0 : (turn * PER_FLOOR) % all.length;
  return all.slice(from, from + PER_FLOOR).map(({ id, no }) => ({ ...blank, objectId: id, objectNo: no }));
}

const floorsOf = (pageCode: PageCode, objects: Objects, markId: string | null, now: Instant): FloorContent[] =>
  demoFloors[pageCode].map(([floorType, floorName], index) => ({
    floorKey: `${pageCode.toLowerCase()}-${index + 1}`,
    floorName,
    floorType,
    title: floorType === 'BANNER' || floorType === 'NOTICE' || floorType === 'AD' ? '' : floorName,
    showTitle: true,
    moreLink: floorType === 'GOODS' ? '/pages/mall/index' : '',
    background: '',
    layout: floorType === 'GOODS' ? 'TWO' : floorType === 'DOCTOR' ? 'SCROLL' : 'ONE',
    ...(floorName === BY_RULE && markId !== null
      ? { dataMode: 'RULE' as const, rule: { marksAny: [markId], marksAll: [], sort: 'PRICE' as const, limit: PER_FLOOR }, items: [] }
      : { dataMode: 'MANUAL' as const, rule: null, items: itemsOf(floorType, index, objects) }),
    startAt: floorName === '冬季呵护' ? plusMs(now, days(8)) : null,
    endAt: null,
    audience: everybody,
    hideWhenEmpty: true,
    hidden: floorName === '调研邀请',
  }));

/** What a release holds: the last one all of the draft, those before it a floor less each, down to three. */
const snapshotAt = (floors: readonly FloorContent[], place: number, count: number) =>
  floors.slice(0, Math.max(3, floors.length - (count - 1 - place)));

export interface People {
  editor: string;
  auditor: string;
}

function releasesOf(pageCode: PageCode, floors: readonly FloorContent[], people: People, now: Instant): Record<string, unknown>[] {
  const states = demoReleases[pageCode];
  return states.map((state: ReleaseState, place) => {
    const submittedAt = state === 'AUDITING' ? plusMs(now, -minutes(90)) : plusMs(now, -days(6 * (states.length - place)));
    const audited = state !== 'AUDITING';
    return {
      pageCode,
      seq: place + 1,
      snapshot: snapshotAt(floors, place, states.length),
      state,
      effectiveAt: state === 'SCHEDULED' || state === 'CANCELLED' ? plusMs(now, days(2)) : null,
      submittedBy: people.editor,
      submittedAt,
      auditedBy: audited ? people.auditor : null,
      auditedAt: audited ? plusMs(submittedAt, minutes(45)) : null,
      opinion: state === 'REJECTED' ? '公告文字与服务时间不符，请修改' : null,
    };
  });
}

/** Who writes and who audits in the demonstration; null: there are none. */
export async function demoPeople(tx: Tx): Promise<People | null> {
  const { rows } = await sql<{ id: string; role: string }>`
    select distinct on (r.role_code) u.id::text as id, r.role_code as role
      from identity_staff_user u join identity_user_role ur on ur.user_id = u.id join identity_role r on r.id = ur.role_id
     where r.role_code in ('CORPUS_OPS', 'MEDICAL_AUDIT') order by r.role_code, u.id`.execute(tx);
  const editor = rows.find(({ role }) => role === 'CORPUS_OPS')?.id;
  const auditor = rows.find(({ role, id }) => role === 'MEDICAL_AUDIT' && id !== editor)?.id;
  return editor && auditor ? { editor, auditor } : null;
}

/** content.md §Demo data: the floors of all pages, and their releases in every state. */
export async function writeFloorDemo({ kernel, now, transaction }: DemoContext): Promise<void> {
  await transaction(async ({ tx }) => {
    const { rows: there } = await sql`select 1 from content_floor limit 1`.execute(tx);
    const people = await demoPeople(tx);
    if (there.length > 0 || people === null) return;
    const found = async (code: 'MEDICINE' | 'DOCTOR') => {
      const all = (await kernel.registry.objectTypes.get(code)?.search(tx, everyone, '', MOST, now)) ?? [];
      const isOffered = await offeredOf(
        kernel,
        tx,
        all.map(({ id }) => ({ objectType: code, objectId: id })),
        now,
      );
      return all.filter(({ id }) => isOffered({ objectType: code, objectId: id })).slice(0, 60);
    };
    const { rows: marked } = await sql<{ id: string }>`select id::text as id from content_mark where mark_name = '惠民保可用'`.execute(tx);
    const objects = { MEDICINE: await found('MEDICINE'), DOCTOR: await found('DOCTOR') };
    const pages = pageCodes.codes.map((pageCode) => ({ pageCode, floors: floorsOf(pageCode, objects, marked[0]?.id ?? null, now) }));
    const timestamps = { createdAt: plusMs(now, -days(90)), updatedAt: plusMs(now, -days(7)) };
    const floors = pages.flatMap((page) =>
      page.floors.map((floor, index) => ({ ...floor, pageCode: page.pageCode, sortNo: index + 1, changedIn: 1, ...timestamps })),
    );
    const ids = await reserve(tx, 'content_floor', floors.length);
    await bulk(
      tx,
      'content_floor',
      floors.map((floor, index) => ({ id: ids[index]!, ...floor })),
    );
    await sql`update content_page_layout set updated_at = ${timestamps.updatedAt}, updated_by = ${people.editor}`.execute(tx);
    const releases = pages.flatMap((page) => releasesOf(page.pageCode, page.floors, people, now));
    await sql`
      insert into content_page_release (
        page_code, seq, snapshot, content_hash, state, effective_at, submitted_by, submitted_at, audited_by, audited_at, opinion
      )
        select r."pageCode", r.seq, r.snapshot, md5(r.snapshot::text), r.state, r."effectiveAt", r."submittedBy", r."submittedAt",
            r."auditedBy", r."auditedAt", r.opinion
          from jsonb_to_recordset(${JSON.stringify(releases)}::jsonb) as r(
            "pageCode" text, seq int, snapshot jsonb, state text, "effectiveAt" timestamptz, "submittedBy" bigint,
            "submittedAt" timestamptz, "auditedBy" bigint, "auditedAt" timestamptz, opinion text
          )`.execute(tx);
  });
}
