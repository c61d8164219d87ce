import { sql } from 'kysely';
import { dayOf, days, hours, plusDays, plusMs, type Instant } from '#kernel/contract/time.ts';
import type { Tx } from '#kernel/server/context.ts';
import { bulk, reserve, type Random } from '#kernel/server/demo/bulk.ts';
import { demoTrails, type DemoActor, type DemoStep } from '#kernel/server/demo/trails.ts';
import { mergeMachine, patientMachine } from '../../contract/states.ts';
import { TARGET as PATIENT } from '../persons/save.ts';
import { pairs, type Pair, type DemoPerson } from './cast.ts';
import type { DemoStaff, StaffOf } from './staff.ts';

const EVIDENCE: Readonly<Record<Pair['like'], readonly string[]>> = {
  MOBILE: ['手机号一致', '姓名一致', '出生日期一致'],
  BIRTHDAY: ['姓名一致', '出生日期一致'],
  TYPO: ['姓名一致', '出生日期一致'],
};
const REASON: Readonly<Record<Pair['like'], string>> = {
  MOBILE: '同一手机号重复建档',
  BIRTHDAY: '保单名单导入时未带证件号，与已实名档案为同一人',
  TYPO: '建档时证件号录错一位，与已实名档案为同一人',
};

const actorOf = (staff: DemoStaff | undefined): DemoActor | null =>
  staff ? { id: staff.userId, name: staff.displayName, opNo: staff.opNo } : null;

/** Fourteen merges: seven done, one undone and done again among them; what is one has something in common. */
async function writeMerges(tx: Tx, people: readonly DemoPerson[], now: Instant, staff: StaffOf): Promise<void> {
  const today = dayOf(now);
  const all = pairs.flatMap(({ states, ...pair }) => states.map((state) => ({ ...pair, state })));
  const ids = await reserve(tx, 'patient_merge', all.length);
  const [maker, checker] = [staff.get('svc_a'), staff.get('ops_audit')];
  const by = actorOf(checker);
  const trails = demoTrails(tx);
  const rows = all.map(({ from, into, like, state }, index) => {
    const [one, other] = [people[from]!, people[into]!];
    const createdAt = plusMs(now, -days(56 - index * 3) - hours(5));
    const [decidedAt, undoneAt] = [
      state === 'PENDING' ? null : plusMs(createdAt, days(1)),
      state === 'UNDONE' ? plusMs(createdAt, days(2)) : null,
    ];
    const suggested = state === 'PENDING' && like === 'MOBILE';
    const opinion = {
      REJECTED: '两人证件号不同，经电话核实为同名同生日的两个人',
      UNDONE: '家属来电称非同一保单被保人，先撤销核实',
      MERGED: '已核对姓名、出生日期和就诊经历，为同一人',
      PENDING: null,
    }[state];
    if (state === 'MERGED' || state === 'UNDONE')
      trails.add(patientMachine, { type: PATIENT, id: one.id }, [
        { action: 'merge', from: 'ACTIVE', to: 'MERGED', opinion: `合并至${other.no}`, at: decidedAt!, by },
        ...(state === 'UNDONE' ? [{ action: 'unmerge', from: 'MERGED', to: 'ACTIVE', opinion, at: undoneAt!, by } as const] : []),
      ]);
    if (decidedAt !== null)
      trails.add(mergeMachine, { type: 'patient.merge', id: ids[index]! }, [
        { action: state === 'REJECTED' ? 'reject' : 'approve', from: 'PENDING', opinion, at: decidedAt, by },
        ...(undoneAt === null ? [] : [{ action: 'undo', opinion, at: undoneAt, by } as const]),
      ]);
    return {
      id: ids[index],
      mergeNo: `HB${today.replaceAll('-', '')}${900_001 + index}`,
      fromId: one.id,
      intoId: other.id,
      evidence: EVIDENCE[like],
      reason: suggested ? '系统发现疑似重复档案' : REASON[like],
      suggested,
      confirmed: false,
      carried: [],
      state,
      makerId: suggested ? null : (maker?.userId ?? null),
      checkerId: decidedAt === null ? null : (checker?.userId ?? null),
      opinion,
      decidedAt,
      undoneAt,
      version: 1 + Number(decidedAt !== null) + Number(undoneAt !== null),
      createdAt,
      updatedAt: undoneAt ?? decidedAt ?? createdAt,
    };
  });
  await bulk(tx, 'patient_merge', rows);
  await trails.write();
  for (const { from, into, state } of all) {
    if (state === 'MERGED')
      await sql`
        update patient_patient
          set state = 'MERGED', merged_into_id = ${people[into]!.id}, version = version + 1
          where id = ${people[from]!.id}`.execute(tx);
  }
}

const KINDS = ['COPY', 'CORRECT', 'DELETE'] as const;
/** Kind, state, index of the person: whoever was deleted is gone. */
const REQUESTS: readonly (readonly [kind: (typeof KINDS)[number], state: string, person: number])[] = [
  ['COPY', 'OPEN', 300],
  ['CORRECT', 'OPEN', 301],
  ['DELETE', 'OPEN', 302],
  ['COPY', 'DOING', 303],
  ['DELETE', 'DOING', 304],
  ['CORRECT', 'DONE', 305],
  ['DELETE', 'DONE', 1_190],
  ['DELETE', 'DONE', 1_191],
  ['DELETE', 'REFUSED', 306],
];
const DETAIL = { COPY: '申请复制本人病历资料', CORRECT: '出生日期登记有误，申请更正', DELETE: '不再使用服务，申请注销' };

async function writePrivacy(tx: Tx, people: readonly DemoPerson[], now: Instant, staff: StaffOf): Promise<void> {
  const ids = await reserve(tx, 'patient_privacy_request', REQUESTS.length);
  const [maker, handler] = [staff.get('svc_a')?.userId ?? null, staff.get('ops_audit')?.userId ?? null];
  await bulk(
    tx,
    'patient_privacy_request',
    REQUESTS.map(([kind, state, at], index) => {
      const person = people[at]!;
      const closed = state === 'DONE' || state === 'REFUSED';
      const finishedAt = !closed ? null : person.state === 'CANCELLED' ? person.until : plusMs(now, -days(7));
      const createdAt = plusMs(finishedAt ?? now, -days(1 + index) - hours(3));
      return {
        id: ids[index],
        requestNo: `GX${dayOf(now).replaceAll('-', '')}${900_001 + index}`,
        kind,
        patientId: person.id,
        detail: DETAIL[kind],
        state,
        dueAt: plusDays(dayOf(createdAt), 15),
        resultFileId: null,
        handlerId: state === 'OPEN' ? null : handler,
        opinion: state === 'REFUSED' ? '存在在途理赔，暂不受理' : state === 'DONE' ? '已核实本人身份并办结' : null,
        finishedAt,
        version: closed ? 3 : state === 'DOING' ? 2 : 1,
        createdAt,
        createdBy: maker,
        updatedAt: finishedAt ?? createdAt,
      };
    }),
  );
}

/** How frozen, deceased and cancelled records came to be so. */
async function writeEnds(tx: Tx, people: readonly DemoPerson[], now: Instant, staff: StaffOf): Promise<void> {
  const trails = demoTrails(tx);
  for (const person of people) {
    const add = (step: DemoStep<keyof typeof patientMachine.transitions>) =>
      trails.add(patientMachine, { type: PATIENT, id: person.id }, [{ from: 'ACTIVE', ...step }]);
    if (person.state === 'FROZEN')
      add({ action: 'freeze', opinion: '账号疑似被盗用，待本人核实', at: plusMs(now, -days(3)), by: actorOf(staff.get('ops_audit')) });
    if (person.deceased)
      add({
        action: 'markDeceased',
        opinion: '家属来电告知并提供死亡医学证明',
        at: plusMs(person.until, hours(40)),
        by: actorOf(staff.get('svc_a')),
      });
    if (person.state === 'CANCELLED')
      add({ action: 'cancel', opinion: DETAIL.DELETE, at: person.until, by: actorOf(staff.get('ops_audit')) });
  }
  await trails.write();
}

const PARTS = ['档案', '诊疗史', '用药建议', '检查检验', '基本信息'];
/** Who looked: mostly assistants, next to the chat. */
async function writeLooks(tx: Tx, people: readonly DemoPerson[], now: Instant, staff: StaffOf, random: Random): Promise<void> {
  const lookers = [...staff.values()];
  const rows = Array.from({ length: 5_000 }, () => {
    const person = people[random.int(0, 1_050)]!;
    const by = lookers.length > 0 ? random.pick(lookers) : null;
    const chance = random.next();
    const kind = chance < 0.95 ? 'VIEW' : chance < 0.98 ? 'REVEAL' : 'EXPORT';
    const at = plusMs(now, -days(random.int(0, 95)) - random.int(0, 80_000_000));
    return {
      patient_id: person.id,
      user_id: by?.userId ?? null,
      client_id: by ? null : 'patient-app',
      role: by?.role ?? '',
      kind,
      fields: kind === 'REVEAL' ? ['手机号'] : kind === 'EXPORT' ? ['基本信息', '诊疗史'] : [random.pick(PARTS)],
      reason: kind === 'EXPORT' ? '转诊会诊' : null,
      from_page: by?.role.startsWith('医助') ? '/assistantIM' : null,
      at,
    };
  });
  await sql`
    insert into patient_record_access (patient_id, user_id, client_id, role, kind, fields, reason, from_page, at)
      select patient_id, user_id, client_id, role, kind, fields, reason, from_page, at
        from jsonb_populate_recordset(
          null::patient_record_access, ${JSON.stringify(rows.toSorted((a, b) => a.at.localeCompare(b.at)))}::jsonb
        )`.execute(tx);
}

/** Merges, privacy requests, switches, ends of records, and who looked. */
export async function writeAffairs(tx: Tx, people: readonly DemoPerson[], now: Instant, staff: StaffOf, random: Random): Promise<void> {
  await writeMerges(tx, people, now, staff);
  await writePrivacy(tx, people, now, staff);
  await writeEnds(tx, people, now, staff);
  const scenes = [
    ['REGISTER', false, 'ID2'],
    ['CONSULT', true, 'ID2'],
    ['PRESCRIBE', true, 'ID2'],
    ['BUY_RX', true, 'ID2'],
    ['CLAIM', true, 'ID3'],
    ['ENROL', true, 'ID3'],
  ] as const;
  const switchIds = await reserve(tx, 'patient_real_name_switch', scenes.length);
  const since = plusMs(now, -days(300));
  await bulk(
    tx,
    'patient_real_name_switch',
    scenes.map(([scene, required, minMethod], index) => ({
      id: switchIds[index],
      scopeType: 'GLOBAL',
      scopeId: '0',
      scopeName: '',
      scene,
      required,
      minMethod,
      effectiveFrom: since,
      reason: '平台统一规则',
      version: 1,
      createdAt: since,
      createdBy: null,
      updatedAt: since,
      updatedBy: null,
    })),
  );
  await writeLooks(tx, people, now, staff, random);
  await sql`
    insert into kernel_number (prefix, day, last)
      values ('PT', '2000-01-01', ${people.length})
      on conflict (prefix, day) do update
      set last = greatest(kernel_number.last, excluded.last)`.execute(tx);
}
