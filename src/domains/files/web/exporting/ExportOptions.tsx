import { Alert, Checkbox, Radio } from 'antd';
import { toast, toastError } from '#kernel/web/feedback/toast.ts';
import type { ExportChoice } from '#kernel/web/files/places.ts';
import { exportFormats } from '../../contract/dictionaries.ts';
import { TextArea } from '#kernel/web/kit/TextInput.tsx';

const SHORTEST_REASON = 5;
export const firstChoice: ExportChoice = { format: 'XLSX', plain: false, reason: '' };

/** Says what is missing of a choice. */
export function isChosen({ plain, reason }: ExportChoice): boolean {
  if (!plain || reason.trim().length >= SHORTEST_REASON) return true;
  toastError('请填写导出明文的原因（不少于5个字）');
  return false;
}

interface ExportOptionsProps {
  value: ExportChoice;
  onChange(value: ExportChoice): void;
  /** There is something that could stand in plain, and he may take it out. */
  mayPlain: boolean;
}

/** Format, and unmasked values for who may take them out. */
export function ExportOptions({ value, onChange, mayPlain }: ExportOptionsProps) {
  const { format, plain, reason } = value;
  return (
    <>
      <div className="kq-export-options">
        <span>文件格式</span>
        <Radio.Group
          value={format}
          onChange={({ target }) => onChange({ ...value, format: target.value === 'CSV' ? 'CSV' : 'XLSX' })}
          options={(['XLSX', 'CSV'] as const).map((one) => ({ value: one, label: exportFormats.label(one) }))}
        />
        {mayPlain && (
          <Checkbox
            checked={plain}
            onChange={({ target }) => {
              onChange({ ...value, plain: target.checked });
              if (target.checked) toast('明文导出将记入操作日志', 'warning');
            }}
          >
            明文
          </Checkbox>
        )}
      </div>
      {plain && (
        <>
          <Alert type="warning" showIcon title="导出的敏感信息不脱敏，文件24小时后过期，原因记入操作日志" />
          <TextArea
            className="kq-export-reason"
            rows={2}
            most={200}
            showCount
            placeholder="请填写导出明文的原因（不少于5个字）"
            value={reason}
            onChange={({ target }) => onChange({ ...value, reason: target.value })}
          />
        </>
      )}
    </>
  );
}
