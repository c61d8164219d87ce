import { Select } from 'antd';
import { showInstant } from '#kernel/contract/time.ts';
import { useData } from '#kernel/web/http/queries.ts';
import { useMay } from '#kernel/web/session/store.ts';
import { findEhrMedicineSuggested } from '#domains/patient/contract/calls/panel.ts';
import { patientPermissions } from '#domains/patient/contract/permissions.ts';

const MOST = 50;
const CHOOSABLE = 20;

interface LinkedProps {
  id?: string;
  /** 用药建议 or 检查检验 of the patient's record. */
  module: 'modular002' | 'modular004';
  operatorId: string;
  value?: readonly string[];
  onChange?(value: string[]): void;
  disabled?: boolean;
}

/** Rows of the patient's record that a summary refers to; who may not open the record sees how many there are. */
export function Linked({ id, module, operatorId, value = [], onChange, disabled = false }: LinkedProps) {
  const may = useMay();
  const opens = may(patientPermissions['record.view']);
  const { data, fetching, error } = useData(
    findEhrMedicineSuggested,
    { pageNo: 1, pageSize: MOST, moduleCode: module, associatedId: operatorId, paragraphCode: '', pageCode: 'VISIT_RECORD' },
    { enabled: opens, quiet: true, fresh: 30_000 },
  );
  if (!opens || error)
    return (
      <span className="kq-muted">
        {value.length === 0 ? '未关联' : `已关联${value.length}条`}（{opens ? '无权查看该患者病历' : '需要查看病历的权限'}）
      </span>
    );
  const labelled = (data?.rows ?? []).map((row) => {
    if (row.moduleCode === 'modular002')
      return {
        value: row.id,
        label: `${showInstant(row.prescriptionTime).slice(0, 10)} ${row.medicines.map(({ medicineName }) => medicineName).join('、')}`,
      };
    return row.moduleCode === 'modular004'
      ? { value: row.id, label: `${showInstant(row.inspectionTime).slice(0, 10)} ${row.itemName}` }
      : { value: row.id, label: row.id };
  });
  const known = new Set(labelled.map((one) => one.value));
  const options = [...labelled, ...value.filter((one) => !known.has(one)).map((one) => ({ value: one, label: '该资料已不在病历中' }))];
  return (
    <Select<string[]>
      {...(id && { id })}
      mode="multiple"
      className="kq-wide"
      maxCount={CHOOSABLE}
      allowClear
      disabled={disabled}
      loading={fetching}
      value={[...value]}
      options={options}
      showSearch={{ optionFilterProp: 'label' }}
      placeholder={module === 'modular002' ? '选择本次问诊的用药建议' : '选择本次问诊的检查检验'}
      notFoundContent={fetching ? '加载中…' : '病历中没有记录'}
      onChange={(next) => onChange?.(next)}
    />
  );
}
