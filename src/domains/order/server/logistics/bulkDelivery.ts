import { refuse, refuseField } from '#kernel/contract/errors.ts';
import { asSystem, type Acting } from '#kernel/server/command/acting.ts';
import type { Db, Staff, Tx, Writing } from '#kernel/server/context.ts';
import { importColumns } from '#kernel/server/importing/importColumns.ts';
import type { Importer, ImportFault, ParsedRow, PlannedRow } from '#kernel/server/importing/importer.ts';
import { codeOf, fault, textOf } from '#kernel/server/importing/rows.ts';
import { plusDays, startOfDay, dayOf, type Instant } from '#kernel/contract/time.ts';
import { BULK_IMPORTER, importBulkDelivery } from '../../contract/calls/logistics.ts';
import { orderErrors } from '../../contract/errors.ts';
import { carriers } from '../../contract/orderDictionaries.ts';
import { orderPermissions as may } from '../../contract/permissions.ts';
import { NEAR_EXPIRY_DAYS } from '../../contract/rules/parcel.ts';
import { supplierRecords } from '../access.ts';
import { own } from '../database.ts';
import { fulfilmentRecords, lockPart } from '../fulfilment/access.ts';
import { shipped, unshipped, type Parcel } from '../fulfilment/ship.ts';
import { importedParcel } from '../../contract/calls/bulkRow.ts';

type Params = Readonly<Record<string, unknown>>;
const supplierIdOf = ({ supplierId }: Params): string => (typeof supplierId === 'string' ? supplierId : '0');
const parcelKey = (row: ParsedRow) => `${textOf(row, 'fulfilmentNo').toUpperCase()}/${textOf(row, 'carrierCode')}/${waybillOf(row)}`;
const waybillOf = (row: ParsedRow) => textOf(row, 'waybillNo').toUpperCase();
const numberOf = (row: ParsedRow) => textOf(row, 'fulfilmentNo').toUpperCase();

/** Parts of one supplier that a table names, with what of them is still to be sent. */
async function lookUp(db: Db | Tx, rows: readonly ParsedRow[], params: Params) {
  const parts = await own(db)
    .selectFrom('orderFulfilment as f')
    .select(['f.id', 'f.fulfilmentNo', 'f.state'])
    .where('f.supplierId', '=', supplierIdOf(params))
    .where('f.fulfilmentNo', 'in', ['', ...new Set(rows.map((row) => numberOf(row)))])
    .execute();
  const lines = await own(db)
    .selectFrom('orderFulfilmentLine as p')
    .innerJoin('orderLine as l', 'l.id', 'p.orderLineId')
    .select(['p.fulfilmentId', 'p.orderLineId', 'p.quantity', 'p.shippedQty', 'l.goodsCode', 'l.coldChain'])
    .where('p.fulfilmentId', 'in', ['0', ...parts.map(({ id }) => id)])
    .execute();
  const used = await own(db)
    .selectFrom('orderShipment as s')
    .innerJoin('orderFulfilment as f', 'f.id', 's.fulfilmentId')
    .select(['s.carrierCode', 's.waybillNo', 'f.fulfilmentNo'])
    .where('s.waybillNo', 'in', ['', ...new Set(rows.map((row) => waybillOf(row)))])
    .where('s.voidedAt', 'is', null)
    .execute();
  return {
    parts: new Map(parts.map((part) => [part.fulfilmentNo, part])),
    lineOf: (fulfilmentId: string, goodsCode: string) =>
      lines.find((line) => line.fulfilmentId === fulfilmentId && line.goodsCode === goodsCode),
    used: new Map(used.map(({ carrierCode, waybillNo: no, fulfilmentNo }) => [`${carrierCode}/${no}`, fulfilmentNo])),
  };
}

/** Noon of the day that a row tells; of this day the moment at which it is written. */
function sentAt(row: ParsedRow, now: Instant): Instant {
  const day = textOf(row, 'shippedOn');
  return day === '' || day === dayOf(now) ? now : startOfDay(day, '12:00');
}

async function faultsOf(rows: readonly ParsedRow[], { db, params, now }: { db: Db; params: Params; now: Instant }): Promise<ImportFault[]> {
  const { parts, lineOf, used } = await lookUp(db, rows, params);
  const faults: ImportFault[] = [];
  const taken = new Map<string, number>();
  const ownerOf = new Map<string, string>();
  const batches = new Map<string, number>();
  for (const row of rows) {
    const part = parts.get(numberOf(row));
    const waybill = `${textOf(row, 'carrierCode')}/${waybillOf(row)}`;
    if (!part) {
      faults.push(fault(row, 'fulfilmentNo', '履约单不存在或不属于该供应商'));
      continue;
    }
    if (part.state !== 'WAIT_SHIP' && part.state !== 'PART_SHIPPED') {
      faults.push(fault(row, 'fulfilmentNo', '履约单不是待发货状态'));
      continue;
    }
    const other = used.get(waybill) ?? ownerOf.get(waybill);
    if (used.has(waybill) || (other !== undefined && other !== part.fulfilmentNo)) {
      faults.push(fault(row, 'waybillNo', `运单号已被${other}使用`));
      continue;
    }
    ownerOf.set(waybill, part.fulfilmentNo);
    const goodsCode = textOf(row, 'goodsCode');
    const line = lineOf(part.id, goodsCode);
    if (!line) {
      faults.push(fault(row, 'goodsCode', '该商品不在履约单中'));
      continue;
    }
    if (line.coldChain) faults.push(fault(row, 'goodsCode', '冷链药品须上传温控记录，请在履约单中单独发货'));
    const pieces = (taken.get(line.orderLineId) ?? 0) + Number(textOf(row, 'quantity'));
    taken.set(line.orderLineId, pieces);
    if (pieces > line.quantity - line.shippedQty) faults.push(fault(row, 'quantity', orderErrors.TOO_MANY.text));
    const batch = `${waybill}/${goodsCode}/${textOf(row, 'batchNo')}`;
    const earlier = batches.get(batch);
    if (earlier === undefined) batches.set(batch, row.rowNo);
    else faults.push(fault(row, 'batchNo', `同一包裹同一批号与第${earlier}行重复，请合并为一行`));
    const day = dayOf(sentAt(row, now));
    if (textOf(row, 'expireDate') <= plusDays(day, NEAR_EXPIRY_DAYS)) faults.push(fault(row, 'expireDate', orderErrors.NEAR_EXPIRY.text));
    if (day > dayOf(now) || day < plusDays(dayOf(now), -29)) faults.push(fault(row, 'shippedOn', '发货日期须在最近30天内'));
  }
  return faults;
}

const actingOf = (writing: Writing & { staff: Staff; now: Instant }): Acting => ({
  ...asSystem(writing, { now: writing.now, traceId: '' }),
  staffOrNull: writing.staff,
});

const codesOf = (row: ParsedRow) =>
  textOf(row, 'traceCodes')
    .split(/[\s,，;；、]+/u)
    .filter(Boolean);

async function writeRows(
  rows: readonly PlannedRow[],
  batchNo: string,
  writing: Writing & { staff: Staff; now: Instant; params: Params },
): Promise<ReadonlyMap<number, string>> {
  const ctx = actingOf(writing);
  const { parts, lineOf } = await lookUp(ctx.tx, rows, writing.params);
  const ids = new Map<number, string>();
  const groups = [...Map.groupBy(rows, parcelKey).values()].toSorted((a, b) => (numberOf(a[0]!) < numberOf(b[0]!) ? -1 : 1));
  for (const group of groups) {
    const [first] = group;
    const part = parts.get(numberOf(first!));
    if (!part) throw refuseField('fulfilmentNo', '履约单不存在或不属于该供应商');
    const parcel: Parcel = {
      carrierCode: codeOf(first!, 'carrierCode', carriers),
      waybillNo: waybillOf(first!),
      shippedAt: sentAt(first!, ctx.now),
      lines: group.map((row) => ({
        orderLineId: lineOf(part.id, textOf(row, 'goodsCode'))?.orderLineId ?? '0',
        quantity: Number(textOf(row, 'quantity')),
        batchNo: textOf(row, 'batchNo'),
        expireDate: textOf(row, 'expireDate'),
        traceCodes: codesOf(row),
      })),
      tempRecordFileId: null,
      minTemp: null,
      maxTemp: null,
    };
    const locked = await lockPart(ctx.tx, fulfilmentRecords.everyone, part.id);
    const { shipmentId } = await shipped(ctx, locked, parcel, { source: 'BULK', importBatchNo: batchNo });
    for (const { rowNo } of group) ids.set(rowNo, shipmentId);
  }
  return ids;
}

/** Takes all parcels of a table back. @throws Refusal SCM16034, SCM16035 */
async function undo(batchNo: string, writing: Writing & { staff: Staff; now: Instant }): Promise<null> {
  const ctx = actingOf(writing);
  const parcels = await own(ctx.tx)
    .selectFrom('orderShipment as s')
    .innerJoin('orderFulfilment as f', 'f.id', 's.fulfilmentId')
    .selectAll('s')
    .where('s.importBatchNo', '=', batchNo)
    .where('s.voidedAt', 'is', null)
    .orderBy('f.orderId')
    .orderBy('s.id')
    .execute();
  for (const { id, fulfilmentId } of parcels) {
    const locked = await lockPart(ctx.tx, fulfilmentRecords.everyone, fulfilmentId);
    const parcel = await own(ctx.tx).selectFrom('orderShipment').selectAll().where('id', '=', id).forUpdate().executeTakeFirstOrThrow();
    if (parcel.voidedAt === null) await unshipped(ctx, locked, parcel, `整批撤销发货${batchNo}`);
  }
  return null;
}

/** No `upsertImporter`: rows with one waybill together are a parcel, and a parcel changes a part. */
export const bulkDeliveryImporter: Importer = {
  code: BULK_IMPORTER,
  label: '批量发货',
  call: importBulkDelivery,
  admit: (ctx, params) => supplierRecords.get(ctx.tx, supplierRecords.everyone, supplierIdOf(params)),
  templateVersion: '1',
  permission: may['fulfilment.ship'].code,
  undoPermission: may['fulfilment.undoShip'].code,
  undoDays: 1,
  // Rows of one waybill are written together.
  maxRows: 200,
  allowValidOnly: true,
  sameContent: ({ batchNo }) => refuse(orderErrors.SAME_SHEET, { no: batchNo }),
  scopeKey: supplierIdOf,
  columns: importColumns(importedParcel.shape, [
    { key: 'fulfilmentNo', example: 'FO20261130000001' },
    'carrierCode',
    { key: 'waybillNo', example: 'SF1234567890123' },
    { key: 'shippedOn', example: '2026-11-30', note: '不填为提交当天' },
    { key: 'goodsCode', example: 'SP000001' },
    { key: 'quantity', example: '2' },
    { key: 'batchNo', example: 'B20260101' },
    { key: 'expireDate', example: '2028-01-31' },
    { key: 'traceCodes', note: '多个追溯码用逗号分隔' },
  ]),
  validateAll: (rows, reading) => faultsOf(rows, reading),
  plan: (rows) => Promise.resolve(rows.map((row): PlannedRow => ({ ...row, action: 'NEW' }))),
  commitChunk: (rows, batchNo, writing) => writeRows(rows, batchNo, writing),
  undo: (_rows, batchNo, writing) => undo(batchNo, writing),
};
