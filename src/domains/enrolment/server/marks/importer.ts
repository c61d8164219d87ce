import { noteWritten } from '#kernel/server/audit/fourEyes.ts';
import { createdColumns } from '#kernel/server/command/stampedColumns.ts';
import type { Db, Tx } from '#kernel/server/context.ts';
import { importColumns } from '#kernel/server/importing/importColumns.ts';
import type { Importer, ImportFault, ParsedRow } from '#kernel/server/importing/importer.ts';
import { codeOf, fault, textOf } from '#kernel/server/importing/rows.ts';
import { upsertImporter } from '#kernel/server/importing/upsertImporter.ts';
import type { Kernel } from '#kernel/server/kernel.ts';
import type { Secrets } from '#kernel/server/sensitive/secrets.ts';
import { dayOf } from '#kernel/contract/time.ts';
import { resolveByCodes } from '#domains/insurance/server/index.ts';
import { addSpecialUser, importSpecialUser, isWithinTwoYears, MARK_IMPORTER, NO_EVIDENCE, TOO_LONG } from '../../contract/calls/marks.ts';
import { enrolmentErrors } from '../../contract/errors.ts';
import { marksWithEvidence, markTypes } from '../../contract/markStates.ts';
import { markPermissions as may } from '../../contract/permissions.ts';
import { own } from '../database.ts';
import { markRecords, type MarkRecord } from './access.ts';
import { lockPersons } from './overlap.ts';
import { numberColumns, personKeyOf, type PersonHashes } from './person.ts';

/** `HMO001、HMO002` in one cell; an empty one means all products. */
const productCodesOf = (row: ParsedRow): string[] => [
  ...new Set(
    textOf(row, 'productIds')
      .toUpperCase()
      .split(/[,，、;；\s]+/)
      .filter(Boolean),
  ),
];

const isSamePerson = (one: PersonHashes, other: PersonHashes): boolean =>
  one.idNoHash !== null && other.idNoHash !== null
    ? one.idNoHash === other.idNoHash
    : one.mobileHash !== null && one.mobileHash === other.mobileHash;

interface Days {
  markType: string;
  startDate: string;
  endDate: string;
}
const meets = (one: Days, other: Days): boolean =>
  one.markType === other.markType && one.startDate <= other.endDate && one.endDate >= other.startDate;

async function lookUp(db: Db | Tx, secrets: Secrets, rows: readonly ParsedRow[], today: string) {
  const numbers = new Map(
    rows.map((row) => [row.rowNo, numberColumns(secrets, { mobile: textOf(row, 'mobile'), idNo: textOf(row, 'idNo') })]),
  );
  const numbersOf = (row: ParsedRow) => numbers.get(row.rowNo)!;
  const products = await resolveByCodes(
    db,
    rows.flatMap((row) => productCodesOf(row).map((productCode) => ({ productCode, date: today }))),
  );
  const hashes = [...numbers.values()].flatMap(({ idNoHash, mobileHash }) => [idNoHash ?? '', mobileHash ?? '']).filter(Boolean);
  const live = await own(db)
    .selectFrom('enrolmentSpecialUser as u')
    .selectAll('u')
    .where('u.state', 'in', ['PENDING', 'EFFECTIVE'])
    .where((eb) => eb.or([eb('u.idNoHash', 'in', ['', ...hashes]), eb('u.mobileHash', 'in', ['', ...hashes])]))
    .orderBy('u.id')
    .execute();
  const daysOf = (row: ParsedRow) => ({
    markType: codeOf(row, 'markType', markTypes),
    startDate: textOf(row, 'startDate'),
    endDate: textOf(row, 'endDate'),
  });
  const productOf = (productCode: string) => products.of(productCode, today);
  const productIdsOf = (row: ParsedRow) => productCodesOf(row).flatMap((code) => productOf(code)?.productId ?? []);
  const valuesOf = (row: ParsedRow) => ({
    name: textOf(row, 'name'),
    ...daysOf(row),
    productIds: productIdsOf(row),
    reason: textOf(row, 'reason'),
  });
  const others = (row: ParsedRow) => live.filter((mark) => isSamePerson(mark, numbersOf(row)) && meets(mark, daysOf(row)));
  const isSame = (mark: MarkRecord, row: ParsedRow) => {
    const values = valuesOf(row);
    const own = numbersOf(row);
    return (
      mark.name === values.name &&
      mark.idNoHash === own.idNoHash &&
      mark.mobileHash === own.mobileHash &&
      mark.startDate === values.startDate &&
      mark.endDate === values.endDate &&
      mark.reason === values.reason &&
      mark.productIds.toSorted().join() === values.productIds.toSorted().join()
    );
  };
  return { numbersOf, daysOf, productOf, valuesOf, others, sameOf: (row: ParsedRow) => others(row).find((mark) => isSame(mark, row)) };
}
type Known = Awaited<ReturnType<typeof lookUp>>;

/** Rows of the file that would mark the same person twice on some days. */
function overlapsWithin(rows: readonly ParsedRow[], known: Known): ImportFault[] {
  const groups = Map.groupBy(
    rows.flatMap((row) => {
      const { idNoHash, mobileHash } = known.numbersOf(row);
      return [idNoHash, mobileHash].flatMap((hash) => (hash === null ? [] : [{ hash, row }]));
    }),
    ({ hash }) => hash,
  );
  const faults = new Map<number, ImportFault>();
  for (const group of groups.values())
    for (const [at, { row }] of group.entries()) {
      const earlier = group
        .slice(0, at)
        .find((one) => isSamePerson(known.numbersOf(one.row), known.numbersOf(row)) && meets(known.daysOf(one.row), known.daysOf(row)));
      if (earlier) faults.set(row.rowNo, fault(row, 'startDate', `该用户的相同标记与第${earlier.row.rowNo}行的日期重叠`));
    }
  return [...faults.values()];
}

function faultsOf(row: ParsedRow, known: Known): ImportFault[] {
  const days = known.daysOf(row);
  const { idNoHash, mobileHash } = known.numbersOf(row);
  const faults: ImportFault[] = [];
  if (idNoHash === null && mobileHash === null) faults.push(fault(row, 'mobile', enrolmentErrors.NO_IDENTITY.text));
  if (days.endDate < days.startDate) faults.push(fault(row, 'endDate', enrolmentErrors.END_BEFORE_START.text));
  else if (!isWithinTwoYears(days)) faults.push(fault(row, 'endDate', TOO_LONG));
  if (marksWithEvidence.includes(days.markType)) faults.push(fault(row, 'markType', `${NO_EVIDENCE}，请在页面新增`));
  for (const code of productCodesOf(row)) {
    const product = known.productOf(code);
    if (!product) faults.push(fault(row, 'productIds', `产品编码“${code}”不存在`));
    else if (product.productLine !== 'HMO') faults.push(fault(row, 'productIds', `产品“${code}”不是HMO产品`));
  }
  if (faults.length === 0 && !known.sameOf(row) && known.others(row).length > 0)
    faults.push(fault(row, 'startDate', enrolmentErrors.MARK_OVERLAPS.text));
  return faults;
}

/** Marks of a table: each waits for another person. A mark that is there as the row says is left as it is. */
export const markImporter = ({ secrets }: Kernel): Importer =>
  upsertImporter({
    code: MARK_IMPORTER,
    label: '特殊用户标记',
    call: importSpecialUser,
    templateVersion: '1',
    permission: may['specialUser.edit'].code,
    undoPermission: may['specialUser.edit'].code,
    maxRows: 5_000,
    undoDays: 7,
    allowValidOnly: false,
    columns: importColumns(addSpecialUser.input.shape, [
      { key: 'name', example: '李秀兰' },
      { key: 'mobile', required: false, note: '手机号、证件号至少填写一项' },
      { key: 'idNo', type: 'text', maxLength: 20, required: false, note: '身份证号须通过校验；其他证件请填写完整号码' },
      { key: 'markType', example: '强制复核', note: '禁止入组、免服务费须附佐证，请在页面新增' },
      {
        key: 'productIds',
        label: '适用产品编码',
        type: 'text',
        maxLength: 500,
        required: false,
        note: '多个编码用逗号分隔，不填为全部HMO产品',
      },
      'startDate',
      'endDate',
      { key: 'reason', example: '既往多次提交不实材料' },
    ]),
    lookUp: (db, rows, { now }) => lookUp(db, secrets, rows, dayOf(now)),
    validate: (rows, known) => [...overlapsWithin(rows, known), ...rows.flatMap((row) => faultsOf(row, known))],
    match: (row, known) => known.sameOf(row),
    facts: (row, known) => known.valuesOf(row),
    addOnly: () => true,
    async insert(rows, known, writing) {
      const { tx, staff, now } = writing;
      await lockPersons(
        tx,
        rows.map(({ row }) => known.numbersOf(row)),
      );
      const saved = await own(tx)
        .insertInto('enrolmentSpecialUser')
        .values(
          rows.map(({ row, values }) => {
            const numbers = known.numbersOf(row);
            return {
              ...values,
              ...numbers,
              personKey: personKeyOf(numbers) ?? '',
              makerId: staff.userId,
              makerName: staff.displayName,
              ...createdColumns({ now, staff }),
            };
          }),
        )
        .returning('id')
        .execute();
      const ids = saved.map(({ id }) => id);
      await noteWritten({ tx, now }, staff.userId, markRecords.type, ids);
      return ids;
    },
    update: () => Promise.resolve(false),
    async undo(rows, _batchNo, { tx }) {
      const made = new Map(rows.flatMap((row) => (row.action === 'NEW' && row.targetId !== undefined ? [[row.targetId, row]] : [])));
      const marks = await own(tx)
        .selectFrom('enrolmentSpecialUser')
        .select(['id', 'name', 'state', 'version'])
        .where('id', 'in', [...made.keys(), '0'])
        .orderBy('id')
        .forUpdate()
        .execute();
      const touched = marks.find(({ state, version }) => state !== 'PENDING' || version > 1);
      if (touched) return { rowNo: made.get(touched.id)?.rowNo ?? 0, no: touched.name };
      await own(tx)
        .deleteFrom('enrolmentSpecialUser')
        .where('id', 'in', [...made.keys(), '0'])
        .execute();
      return null;
    },
  });
