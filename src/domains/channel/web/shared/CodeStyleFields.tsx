import { Alert, Form, Input, Select } from 'antd';
import { useEffect, useState } from 'react';
import { Upload } from '#kernel/web/files/Upload.tsx';
import { useData } from '#kernel/web/http/queries.ts';
import { failureText } from '#kernel/web/http/refusal.ts';
import { NumberInput } from '#kernel/web/kit/NumberInput.tsx';
import type { CodeStyle } from '../../contract/calls/codeFields.ts';
import { previewQrCode } from '../../contract/calls/codes.ts';
import { frames } from '../../contract/dictionaries.ts';
import { MATERIAL_PURPOSE } from '../../contract/purposes.ts';
import { TextInput } from '#kernel/web/kit/TextInput.tsx';
import { styleOf, styleValues, type StyleValues } from './styleValues.ts';

const DPI = 300;
const PAUSE_MS = 500;

/** What a style looks like; the server draws it, reads it back and refuses what cannot be read. */
function LivePreview({ style }: { style: CodeStyle }) {
  const text = JSON.stringify(style);
  const [settled, setSettled] = useState(text);
  useEffect(() => {
    const timer = setTimeout(() => setSettled(text), PAUSE_MS);
    return () => clearTimeout(timer);
  }, [text]);
  const { data, error } = useData(previewQrCode, { style: JSON.parse(settled) as CodeStyle }, { quiet: true });
  return (
    <div className="ch-preview">
      {error ? <Alert type="error" showIcon title={failureText(error)} /> : data && <img src={data.dataUrl} alt="样式预览" />}
      {data && !error && (
        <p className="kq-muted">
          对比度 {data.contrast}，打印尺寸约 {((style.sizePx / DPI) * 2.54).toFixed(1)} 厘米（{DPI}dpi）
        </p>
      )}
    </div>
  );
}

const colour = { getValueFromEvent: (event: { target: { value: string } }) => event.target.value.toUpperCase() };

/** Fields of a code's looks below `name`, with a live preview. */
export function CodeStyleFields({ name = 'style' }: { name?: string }) {
  const values = Form.useWatch(name) as StyleValues | undefined;
  return (
    <div className="ch-two">
      <div>
        <Form.Item label="尺寸（像素）" name={[name, 'sizePx']}>
          <NumberInput className="kq-wide" min={300} max={2000} precision={0} />
        </Form.Item>
        <Form.Item label="边距" name={[name, 'margin']}>
          <NumberInput className="kq-wide" min={1} max={8} precision={0} />
        </Form.Item>
        <Form.Item label="容错级别" name={[name, 'level']}>
          <Select
            placeholder="请选择"
            options={[
              { value: 'M', label: 'M（15%）' },
              { value: 'Q', label: 'Q（25%）' },
              { value: 'H', label: 'H（30%）' },
            ]}
          />
        </Form.Item>
        <Form.Item label="前景色" name={[name, 'dark']} {...colour}>
          <Input type="color" />
        </Form.Item>
        <Form.Item label="背景色" name={[name, 'light']} {...colour}>
          <Input type="color" />
        </Form.Item>
        <Form.Item label="下方文字" name={[name, 'labelText']}>
          <TextInput most={30} showCount />
        </Form.Item>
        <Form.Item label="边框" name={[name, 'frame']}>
          <Select placeholder="请选择" options={frames.options.map(({ value, label }) => ({ value, label }))} />
        </Form.Item>
        <Form.Item label="Logo" name={[name, 'logo']} extra="自动使用最高容错级别">
          <Upload purpose={MATERIAL_PURPOSE} max={1} />
        </Form.Item>
        {values?.logo?.length ? (
          <Form.Item label="Logo面积占比（%）" name={[name, 'logoPercent']}>
            <NumberInput className="kq-wide" min={1} max={20} precision={0} />
          </Form.Item>
        ) : null}
      </div>
      <LivePreview style={styleOf({ ...styleValues(), ...values })} />
    </div>
  );
}
