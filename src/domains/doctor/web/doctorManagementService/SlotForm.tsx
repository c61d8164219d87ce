import { FormDrawer } from '#kernel/web/form/FormDrawer.tsx';
import { modifyServiceOpening, type OpeningRow } from '../../contract/calls/openings.ts';
import { CountField } from '../services/inputs.tsx';
import { SlotFields } from '../services/SlotFields.tsx';
import { refreshes } from './refreshes.ts';

interface Values {
  dailyLimit: number;
  slots: OpeningRow['slots'];
}

/** 时段: how many a day, and when. */
export function SlotForm({ row, onClose }: { row: OpeningRow; onClose(): void }) {
  return (
    <FormDrawer<typeof modifyServiceOpening, Values>
      open
      title={`接诊设置：${row.doctorName} ${row.itemName}`}
      recordKey={row.id}
      initial={{ dailyLimit: row.dailyLimit, slots: row.slots }}
      call={modifyServiceOpening}
      success="保存成功!"
      refreshes={refreshes}
      onClose={onClose}
      valuesOf={(current) => current as Partial<Values>}
      labels={{ dailyLimit: '每日接诊上限', slots: '可预约时段' }}
      toInput={(values) => ({
        id: row.id,
        version: row.version,
        dailyLimit: values.dailyLimit,
        ...(row.needSlot && { slots: values.slots ?? [] }),
      })}
    >
      <CountField of={modifyServiceOpening} name="dailyLimit" unit="人/天" required />
      {row.needSlot ? <SlotFields /> : <p className="kq-muted">该服务无需预约，不设时段。</p>}
      {row.needSlot && <p className="kq-muted">缩减时段不影响已经预约的患者。</p>}
    </FormDrawer>
  );
}
