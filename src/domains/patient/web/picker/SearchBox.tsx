import { Button } from 'antd';
import type { InputRef } from 'antd';
import { useEffect, useRef, useState } from 'react';
import { send } from '#kernel/web/http/client.ts';
import { failureText, RefusalError, TransportError } from '#kernel/web/http/refusal.ts';
import { queryPatientPicker, type PickerRow } from '../../contract/calls/sufferer.ts';
import { patientErrors } from '../../contract/errors.ts';
import { PastDay } from '#kernel/web/form/DayInput.tsx';
import { PersonCard } from '../shared/person.tsx';
import { TextInput } from '#kernel/web/kit/TextInput.tsx';
import '../shared/patient.css';

const matchedBy: Readonly<Record<PickerRow['matched'], string>> = {
  MOBILE: '手机号一致',
  ID_NO: '证件号一致',
  PATIENT_NO: '患者编号一致',
  NAME: '姓名一致',
  NAME_BIRTH: '姓名和出生日期一致',
};

interface SearchBoxProps {
  onPick(person: PickerRow): void;
  /** Offered below the answers. */
  onNew?: ((typed: string) => void) | undefined;
  /** Another value takes the answers away: the operator turned to something else. */
  turn?: string | null;
}

/** Finds a person by what identifies one completely; a beginning of a number finds nobody. */
export function SearchBox({ onPick, onNew, turn: elsewhere = null }: SearchBoxProps) {
  const [keyword, setKeyword] = useState('');
  const [birthDate, setBirthDate] = useState<string | null>(null);
  const [rows, setRows] = useState<PickerRow[] | null>(null);
  const [fault, setFault] = useState<string | null>(null);
  const [busy, setBusy] = useState(false);
  const latest = useRef(0);
  const field = useRef<InputRef>(null);
  const list = useRef<HTMLDivElement>(null);
  useEffect(() => field.current?.focus({ preventScroll: true }), []);
  useEffect(() => {
    setRows(null);
    setFault(null);
  }, [elsewhere]);
  const find = async () => {
    const typed = keyword.trim();
    if (!typed) {
      setFault(patientErrors.KEYWORD.text);
      return;
    }
    const request = ++latest.current;
    setBusy(true);
    setFault(null);
    try {
      const found = await send(queryPatientPicker, { keyword: typed, ...(birthDate && { birthDate }) }, { quiet: true });
      if (request === latest.current) setRows(found);
    } catch (error) {
      if (!(error instanceof RefusalError) && !(error instanceof TransportError)) throw error;
      if (request === latest.current) {
        setRows(null);
        setFault(failureText(error));
      }
    } finally {
      if (request === latest.current) setBusy(false);
    }
  };
  const step = (by: 1 | -1) => {
    const buttons = [...(list.current?.querySelectorAll<HTMLElement>('.pa-pick') ?? [])];
    const at = buttons.indexOf(document.activeElement as HTMLElement);
    if (at + by < 0) field.current?.focus();
    else buttons[Math.min(buttons.length - 1, at + by)]?.focus();
  };
  return (
    <div
      role="search"
      onKeyDown={(event) => {
        if (event.key !== 'ArrowDown' && event.key !== 'ArrowUp') return;
        if (event.target instanceof HTMLElement && event.target.closest('.ant-picker')) return;
        event.preventDefault();
        event.stopPropagation();
        step(event.key === 'ArrowDown' ? 1 : -1);
      }}
    >
      <div className="pa-toolbar" style={{ flexWrap: 'nowrap' }}>
        <TextInput
          ref={field}
          allowClear
          most={40}
          aria-label="查找患者"
          placeholder="完整手机号、证件号、患者编号或姓名"
          value={keyword}
          onChange={(event) => {
            setKeyword(event.target.value);
            setRows(null);
            setFault(null);
          }}
          onPressEnter={(event) => {
            event.preventDefault();
            void find();
          }}
        />
        <span style={{ flex: 'none', width: 150 }}>
          <PastDay value={birthDate} onChange={setBirthDate} placeholder="生日（同名时）" />
        </span>
        <Button type="primary" loading={busy} onClick={() => void find()}>
          查找
        </Button>
      </div>
      <div ref={list}>
        {fault && (
          <p className="pa-note" role="alert">
            {fault}
          </p>
        )}
        {rows?.length === 0 && <p className="pa-empty">没有找到患者{onNew && '，可新建档案'}</p>}
        {rows?.map((person) => (
          <button key={person.patientId} type="button" className="pa-pick" onClick={() => onPick(person)}>
            <PersonCard person={person} note={matchedBy[person.matched]} />
          </button>
        ))}
        {onNew && (rows || fault) && (
          <Button type="dashed" block onClick={() => onNew(keyword.trim())}>
            新建档案
          </Button>
        )}
      </div>
    </div>
  );
}
