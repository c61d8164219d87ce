import { dayOf } from '#kernel/contract/time.ts';
import { nextNumber } from '#kernel/server/command/numbers.ts';
import { importColumns } from '#kernel/server/importing/importColumns.ts';
import type { Importer, ImportFault, ParsedRow } from '#kernel/server/importing/importer.ts';
import { codeOf, fault, repeated, textOf, textOrNull } from '#kernel/server/importing/rows.ts';
import { upsertImporter } from '#kernel/server/importing/upsertImporter.ts';
import type { Secrets } from '#kernel/server/sensitive/secrets.ts';
import { pinyinText } from '#kernel/server/text/pinyin.ts';
import { createdColumns } from '#kernel/server/command/stampedColumns.ts';
import { addAgent, agentRow, importAgent } from '../../contract/calls/agents.ts';
import { agentRanks } from '../../contract/dictionaries.ts';
import { pharmaPermissions } from '../../contract/permissions.ts';
import { publishAgent } from '../agents/agentEvents.ts';
import { agentMobileColumns, agentMobileHash, agentScope, type Viewer } from '../agents/agentRows.ts';
import { requireParent, lockTree } from '../agents/hierarchy.ts';
import { requireUnknownPerson } from '../agents/saveAgent.ts';
import { own, ownTx, type PharmaDb } from '../database.ts';

const mobileOf = (row: Pick<ParsedRow, 'record'>) => textOf(row, 'mobile');
const linesOf = (row: Pick<ParsedRow, 'record'>) => [
  ...new Set(
    textOf(row, 'lines')
      .split(/[、,，;；]/)
      .map((name) => name.trim())
      .filter(Boolean),
  ),
];

/** Unique within the company. */
const companyCodeOf = (row: Pick<ParsedRow, 'record'>) =>
  textOf(row, 'companyAgentCode') ? `${textOf(row, 'company')}|${textOf(row, 'companyAgentCode')}` : '';

/** Representatives of a company; superiors are named by their numbers and must be there before. */
export function agentImporter(secrets: Secrets): Importer {
  async function lookUp(db: PharmaDb, viewer: Viewer, rows: readonly ParsedRow[]) {
    const hashes = rows.map((row) => agentMobileHash(secrets, mobileOf(row)));
    const parents = [...new Set(rows.map((row) => textOf(row, 'parentNo')).filter(Boolean))];
    const companies = await db
      .selectFrom('pharmaCompany')
      .select(['id', 'name', 'state'])
      .where('name', 'in', [...new Set(rows.map((row) => textOf(row, 'company')))])
      .execute();
    const lines =
      companies.length === 0
        ? []
        : await db
            .selectFrom('pharmaProductLine')
            .select(['id', 'name', 'companyId'])
            .where(
              'companyId',
              'in',
              companies.map((row) => row.id),
            )
            .where('state', '<>', 'STOPPED')
            .execute();
    const people = await db
      .selectFrom('pharmaAgent')
      .select(['id', 'agentNo', 'mobileHash', 'name', 'rank', 'companyId', 'version'])
      .where('mobileHash', 'in', hashes)
      .where('state', '<>', 'LEFT')
      .execute();
    const superiors =
      parents.length === 0
        ? []
        : await db
            .selectFrom('pharmaAgent')
            .select(['id', 'agentNo', 'rank', 'companyId'])
            .where('agentNo', 'in', parents)
            .where(agentScope(viewer))
            .where('state', '<>', 'LEFT')
            .execute();
    const codes = rows.flatMap((row) => textOrNull(row, 'companyAgentCode') ?? []);
    const names = new Map(companies.map((row) => [row.id, row.name]));
    const coded =
      codes.length === 0 || companies.length === 0
        ? []
        : await db
            .selectFrom('pharmaAgent')
            .select(['id', 'agentNo', 'companyId', 'companyAgentCode'])
            .where('companyId', 'in', [...names.keys()])
            .where('companyAgentCode', 'in', codes)
            .execute();
    return {
      codes: new Map(coded.map((row) => [`${names.get(row.companyId)}|${row.companyAgentCode}`, row])),
      companies: new Map(companies.map((row) => [row.name, row])),
      lines: new Map(lines.map((row) => [`${row.companyId}:${row.name}`, row.id])),
      people: new Map(people.map((row) => [row.mobileHash, row])),
      superiors: new Map(superiors.map((row) => [row.agentNo, row])),
    };
  }

  const factsOf = (row: ParsedRow) => {
    const mobile = mobileOf(row);
    const name = textOf(row, 'name');
    return {
      name,
      namePinyin: pinyinText(name),
      ...agentMobileColumns(secrets, mobile),
      companyAgentCode: textOrNull(row, 'companyAgentCode'),
      rank: codeOf(row, 'rank', agentRanks),
      filingNo: textOrNull(row, 'filingNo'),
      filingValidTo: textOrNull(row, 'filingValidTo'),
      joinedOn: textOrNull(row, 'joinedOn'),
    };
  };

  return upsertImporter({
    code: 'pharma.agent',
    label: '医药代表',
    call: importAgent,
    templateVersion: '1',
    permission: pharmaPermissions['agent.edit'].code,
    columns: importColumns({ ...addAgent.input.shape, lines: agentRow.shape.lines }, [
      { key: 'company', label: '药企', type: 'text', required: true, maxLength: 100, note: '药企管理中的药企名称' },
      { key: 'name', example: '周敏' },
      { key: 'mobile', type: 'mobile', sensitive: true, example: '13800000000' },
      { key: 'rank', example: '医药代表' },
      { key: 'parentNo', label: '上级编号', type: 'text', maxLength: 30, note: '已存在的代表编号' },
      'companyAgentCode',
      { key: 'lines', required: false, maxLength: 500, note: '多条用、分隔' },
      'filingNo',
      'filingValidTo',
      'joinedOn',
    ]),

    lookUp: (db, rows, { staff }) => lookUp(own(db), staff, rows),
    match: (row, known) => known.people.get(agentMobileHash(secrets, mobileOf(row))),
    facts: factsOf,
    // Who is there already stays as he is, and is shown so.
    addOnly: () => true,
    before: () => ({}),
    update: () => Promise.resolve(false),

    validate(rows, known) {
      const faults: ImportFault[] = [
        ...repeated(rows, 'mobile', '手机号', mobileOf),
        ...repeated(rows, 'companyAgentCode', '药企内部工号', companyCodeOf),
      ];
      for (const row of rows) {
        const company = known.companies.get(textOf(row, 'company'));
        if (!company || company.state !== 'ENABLED') {
          faults.push(fault(row, 'company', '药企不存在或已停用'));
          continue;
        }
        for (const name of linesOf(row))
          if (!known.lines.has(`${company.id}:${name}`)) faults.push(fault(row, 'lines', `产品线“${name}”不属于该药企`));
        const parentNo = textOf(row, 'parentNo');
        const superior = known.superiors.get(parentNo);
        if (parentNo && (!superior || superior.companyId !== company.id)) faults.push(fault(row, 'parentNo', '上级须属于同一药企'));
        else if (
          superior &&
          agentRanks.codes.findIndex((code) => code === superior.rank) >= agentRanks.codes.findIndex((code) => code === textOf(row, 'rank'))
        )
          faults.push(fault(row, 'parentNo', '上级职级须高于本人'));
        const coded = known.codes.get(companyCodeOf(row));
        const other = known.people.get(agentMobileHash(secrets, mobileOf(row)));
        if (coded && coded.id !== other?.id) faults.push(fault(row, 'companyAgentCode', `该工号已被代表${coded.agentNo}使用`));
        if (other && (other.name !== textOf(row, 'name') || other.companyId !== company.id))
          faults.push(fault(row, 'mobile', `手机号已被代表${other.agentNo}使用`));
      }
      return faults;
    },

    async insert(rows, known, writing) {
      const tx = ownTx(writing.tx);
      for (const companyId of [...new Set([...known.companies.values()].map((row) => row.id))].sort())
        await lockTree(writing.tx, companyId);
      const ids: string[] = [];
      for (const { row, values } of rows) {
        const companyId = known.companies.get(textOf(row, 'company'))!.id;
        await requireUnknownPerson(writing.tx, { mobileHash: values.mobileHash, idNoHash: null }, null);
        const superior = known.superiors.get(textOf(row, 'parentNo'));
        const parent = superior
          ? await requireParent(writing.tx, { id: null, companyId, rank: values.rank }, superior.id, writing.staff)
          : null;
        const { id } = await tx
          .insertInto('pharmaAgent')
          .values({
            agentNo: await nextNumber(writing.tx, 'DB', dayOf(writing.now)),
            ...values,
            companyId,
            parentId: parent?.id ?? null,
            state: 'PENDING',
            ...createdColumns(writing),
          })
          .returning('id')
          .executeTakeFirstOrThrow();
        await tx
          .updateTable('pharmaAgent')
          .set({ path: [...(parent?.path ?? []), id] })
          .where('id', '=', id)
          .execute();
        const lines = linesOf(row).map((name) => ({
          agentId: id,
          lineId: known.lines.get(`${companyId}:${name}`)!,
          createdAt: writing.now,
        }));
        if (lines.length > 0) await tx.insertInto('pharmaAgentLine').values(lines).execute();
        await publishAgent(writing, id, dayOf(writing.now));
        ids.push(id);
      }
      return ids;
    },
  });
}
