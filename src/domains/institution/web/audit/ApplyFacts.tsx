import { Alert, Form, Select } from 'antd';
import type { FormInstance } from 'antd';
import { lazy, Suspense, useEffect, useRef } from 'react';
import { plainText } from '#kernel/web/kit/plainText.ts';
import { hospitalKinds, hospitalLevels, ownerships } from '../../contract/dictionaries.ts';
import type { ApplyDetail } from '../../contract/applyCalls.ts';
import { hospitalFactsInput, hospitalLabels, type HospitalFacts } from '../../contract/hospitalCalls.ts';
import { TextInput } from '#kernel/web/kit/TextInput.tsx';

const PlaceFields = lazy(async () => ({ default: (await import('../shared/PlaceFields.tsx')).PlaceFields }));

const options = (dictionary: { options: readonly { value: string; label: string }[] }) =>
  dictionary.options.map(({ value, label }) => ({ value, label }));
const shown = (key: string, value: unknown): string => {
  if (value === null || value === undefined || value === '') return '—';
  if (key === 'level') return hospitalLevels.label(plainText(value));
  if (key === 'kind') return hospitalKinds.label(plainText(value));
  if (key === 'ownership') return ownerships.label(plainText(value));
  return key === 'lngE6' || key === 'latE6' ? String(Number(value) / 1e6) : plainText(value);
};
const same = (a: unknown, b: unknown) => JSON.stringify(a ?? null) === JSON.stringify(b ?? null);

interface ApplyFactsProps {
  apply: ApplyDetail;
  form: FormInstance<Partial<HospitalFacts>>;
  /** The auditor holds the case and may correct. */
  editable: boolean;
  /** What was corrected before a reload or a step to another case. */
  corrected: Readonly<Record<string, unknown>>;
  onCorrect(facts: Record<string, unknown>): void;
}

/** The requested facts: a form with marked corrections for a new hospital, else a table of what would change. */
export function ApplyFacts({ apply, form, editable, corrected, onCorrect }: ApplyFactsProps) {
  const now = Form.useWatch<Partial<HospitalFacts> | undefined>([], form) ?? {};
  const before = useRef(corrected);
  before.current = corrected;
  // Once the case is one's own, what was corrected before stands in its fields again.
  useEffect(() => {
    if (editable) form.setFieldsValue(before.current);
  }, [editable, apply.id, form]);
  if (apply.applyType !== 'CREATE') {
    const keys = Object.keys(apply.payload).filter((key) => !same(apply.payload[key], apply.before?.[key]));
    const moved =
      apply.current !== null && Object.keys(apply.before ?? {}).filter((key) => !same(apply.before?.[key], apply.current?.[key]));
    return (
      <>
        {moved && moved.length > 0 && (
          <Alert
            type="warning"
            showIcon
            className="kq-form-alert"
            title={`提交后医院信息已变化：${moved.map((key) => hospitalLabels[key as keyof HospitalFacts] ?? key).join('、')}`}
          />
        )}
        <p>
          <b>{plainText(apply.current?.['name'] ?? apply.before?.['name'])}</b>
          {'　'}
          <span className="kq-muted">{plainText(apply.current?.['address'])}</span>
        </p>
        {apply.applyType === 'DISABLE' ? (
          <Alert type="info" showIcon title={`申请停用：${apply.reason}`} />
        ) : (
          <table className="in-grid">
            <thead>
              <tr>
                <th style={{ width: 140 }}>字段</th>
                <th>提交时</th>
                <th>变更为</th>
              </tr>
            </thead>
            <tbody>
              {keys.map((key) => (
                <tr key={key}>
                  <td>{hospitalLabels[key as keyof HospitalFacts] ?? key}</td>
                  <td>{shown(key, apply.before?.[key])}</td>
                  <td>
                    <b className="in-edited">{shown(key, apply.payload[key])}</b>
                  </td>
                </tr>
              ))}
            </tbody>
          </table>
        )}
        {apply.reason && apply.applyType !== 'DISABLE' && <p>说明：{apply.reason}</p>}
      </>
    );
  }
  const label = (key: keyof HospitalFacts) =>
    same(now[key] === '' ? null : now[key], apply.payload[key] === '' ? null : apply.payload[key]) || now[key] === undefined ? (
      hospitalLabels[key]
    ) : (
      <span className="in-edited">
        {hospitalLabels[key]}（原：{shown(key, apply.payload[key])}）
      </span>
    );
  return (
    <Form form={form} layout="vertical" disabled={!editable} initialValues={apply.payload} key={apply.id} onValuesChange={onCorrect}>
      <Form.Item label={label('name')} name="name">
        <TextInput most={100} />
      </Form.Item>
      <div className="in-three">
        <Form.Item label={label('level')} name="level">
          <Select options={options(hospitalLevels)} placeholder="请选择" />
        </Form.Item>
        <Form.Item label={label('kind')} name="kind">
          <Select options={options(hospitalKinds)} placeholder="请选择" />
        </Form.Item>
        <Form.Item label={label('ownership')} name="ownership">
          <Select options={options(ownerships)} placeholder="请选择" />
        </Form.Item>
      </div>
      <div className="in-two">
        <Form.Item label={label('uscc')} name="uscc">
          <TextInput most={18} />
        </Form.Item>
        <Form.Item label={label('licenceNo')} name="licenceNo">
          <TextInput most={22} />
        </Form.Item>
        <Form.Item label={label('nhsaCode')} name="nhsaCode">
          <TextInput most={12} />
        </Form.Item>
        <Form.Item label={label('phone')} name="phone">
          <TextInput most={20} />
        </Form.Item>
      </div>
      <Suspense fallback={null}>
        <PlaceFields of={hospitalFactsInput} form={form} />
      </Suspense>
      {apply.reason && <p>说明：{apply.reason}</p>}
    </Form>
  );
}
