import { Button, Modal } from 'antd';
import { lazy, Suspense, useState } from 'react';
import { useData } from '#kernel/web/http/queries.ts';
import type { PickerProps } from '#kernel/web/kit/pickers.tsx';
import { useMay } from '#kernel/web/session/store.ts';
import { queryPatientDetail } from '../../contract/calls/sufferer.ts';
import { MOBILE } from '#kernel/contract/plainText.ts';
import { patientPermissions as rights } from '../../contract/permissions.ts';
import { SearchBox } from './SearchBox.tsx';

const NewPatientForm = lazy(async () => ({ default: (await import('../forms/person/NewPatientForm.tsx')).NewPatientForm }));

interface PatientPickerProps extends PickerProps<string> {
  onName?(name: string): void;
  /** Only records that exist already. */
  withoutNew?: boolean;
}

/** What was typed, as a first entry of the form. */
const initialOf = (typed: string) => (MOBILE.test(typed) ? { mobile: typed } : /\d/.test(typed) ? {} : { name: typed });

/** 患者选择器: shows who is chosen; a click opens the search, from where a record can be made. */
export default function PatientPicker({
  id,
  value,
  onChange,
  onName,
  disabled = false,
  placeholder = '请选择患者',
  withoutNew = false,
}: PatientPickerProps) {
  const may = useMay();
  const [open, setOpen] = useState(false);
  const [adding, setAdding] = useState<string | null>(null);
  const [known, setKnown] = useState<{ patientId: string; name: string; patientNo?: string } | null>(null);
  const asked = useData(
    queryPatientDetail,
    { patientId: value ?? '0', fromPage: '患者选择器' },
    { quiet: true, fresh: 60_000, enabled: Boolean(value) && known?.patientId !== value },
  );
  const shown = value ? (known?.patientId === value ? known : asked.data) : null;
  const take = (person: { patientId: string; name: string; patientNo?: string }) => {
    setKnown(person);
    onChange?.(person.patientId);
    onName?.(person.name);
    setOpen(false);
    setAdding(null);
  };
  return (
    <span className="pa-row kq-wide">
      <Button
        {...(id && { id })}
        block
        disabled={disabled}
        onClick={() => setOpen(true)}
        style={{ justifyContent: 'flex-start', overflow: 'hidden' }}
      >
        {shown ? (
          `${shown.name}${shown.patientNo ? `　${shown.patientNo}` : ''}`
        ) : value ? (
          asked.error ? (
            '无法显示该患者'
          ) : (
            '正在读取…'
          )
        ) : (
          <span className="kq-muted">{placeholder}</span>
        )}
      </Button>
      {value && !disabled && (
        <Button type="text" onClick={() => onChange?.(null)}>
          清除
        </Button>
      )}
      <Modal open={open} title="选择患者" width={560} footer={null} onCancel={() => setOpen(false)} destroyOnHidden>
        <SearchBox onPick={take} onNew={!withoutNew && may(rights['patient.edit']) ? setAdding : undefined} />
      </Modal>
      <Suspense fallback={null}>
        {adding !== null && <NewPatientForm initial={initialOf(adding)} onClose={() => setAdding(null)} onDone={take} />}
      </Suspense>
    </span>
  );
}
