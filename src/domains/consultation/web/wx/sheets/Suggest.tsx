import { useEffect, useState } from 'react';
import type { AnswerOf } from '#kernel/contract/call.ts';
import { RefusalError } from '#kernel/web/http/refusal.ts';
import { frequencies } from '#domains/patient/contract/dictionaries.ts';
import { patientErrors } from '#domains/patient/contract/errors.ts';
import { addMySuggestion, queryMyMedicines } from '../../../contract/calls/participants.ts';
import { cardPayload } from '../../../contract/im/cards.ts';
import { sendMine } from '../access.ts';
import { useAction } from '../useAction.ts';
import { Sheet, type SheetProps } from './Sheet.tsx';

type Found = AnswerOf<typeof queryMyMedicines>[number];
type Frequency = (typeof frequencies.codes)[number];
interface Taken extends Found {
  dose: string;
  frequency: Frequency;
  route: string;
  days: string;
  quantity: string;
}

const SEARCH_MS = 300;
const MOST = 10;
const WARNINGS: ReadonlySet<string> = new Set([patientErrors.ALLERGY.code, patientErrors.SAME_MEDICINE.code]);

function useFound(groupId: string, keyword: string): readonly Found[] {
  const [found, setFound] = useState<readonly Found[]>([]);
  useEffect(() => {
    if (keyword.trim() === '') return setFound([]);
    let here = true;
    const timer = setTimeout(
      () =>
        void sendMine(queryMyMedicines, { groupId, keyword: keyword.trim() }).then(
          (list) => here && setFound(list),
          () => {},
        ),
      SEARCH_MS,
    );
    return () => {
      here = false;
      clearTimeout(timer);
    };
  }, [groupId, keyword]);
  return found;
}

/** 开具用药建议: from the catalogue; what the patient's record warns of must be confirmed. */
export default function Suggest({ group, inquiry, model, onClose, onMoved }: SheetProps) {
  const [keyword, setKeyword] = useState('');
  const [taken, setTaken] = useState<readonly Taken[]>([]);
  const [note, setNote] = useState('');
  const [warning, setWarning] = useState<string | null>(null);
  const { busy, fault, setFault, run } = useAction();
  const found = useFound(group.groupId, keyword).filter(({ medicineId }) => !taken.some((one) => one.medicineId === medicineId));
  const add = (medicine: Found) => {
    setTaken([...taken, { ...medicine, dose: '', frequency: 'QD', route: '口服', days: '7', quantity: '1' }]);
    setKeyword('');
    setFault(null);
  };
  const change = (medicineId: string, part: Partial<Taken>) => (
    setTaken(taken.map((one) => (one.medicineId === medicineId ? { ...one, ...part } : one))),
    setFault(null),
    setWarning(null)
  );
  const submit = async () => {
    if (taken.length === 0) return setFault('请添加药品');
    const bare = taken.find(({ dose, route }) => dose.trim() === '' || route.trim() === '');
    if (bare) return setFault(`请填写${bare.name}的用法用量`);
    const done = await run(async () => {
      try {
        const medicines = taken.map(({ medicineId, dose, frequency, route, days, quantity }) => ({
          medicineId,
          dose: dose.trim(),
          frequency,
          route: route.trim(),
          days: Number(days),
          quantity: Number(quantity),
        }));
        const made = await sendMine(addMySuggestion, {
          groupId: group.groupId,
          medicines,
          ...(note.trim() && { note: note.trim() }),
          confirmed: warning !== null,
        });
        await model.custom(
          cardPayload({
            businessID: 'medicine_suggestion',
            v: 1,
            suggestNo: made.suggestNo,
            medicines: made.medicines,
            doctorName: made.doctorName,
            status: 1,
          }),
        );
      } catch (error) {
        if (error instanceof RefusalError && WARNINGS.has(error.code)) setWarning(error.message);
        throw error;
      }
    });
    if (!done) return;
    onMoved();
    onClose();
  };
  return (
    <Sheet
      title="开具用药建议"
      onClose={onClose}
      footer={
        <button type="button" className={warning ? 'wx-primary wx-danger' : 'wx-primary'} disabled={busy} onClick={() => void submit()}>
          {warning ? '已知悉，仍然开具' : '发送给患者'}
        </button>
      }
    >
      <p className={inquiry.patient?.allergy ? 'wx-fault' : 'wx-muted'}>过敏史：{inquiry.patient?.allergy || '未记录'}</p>
      {taken.map((one) => (
        <fieldset key={one.medicineId} className="wx-medicine">
          <legend>
            {one.name} {one.spec}
            {one.isRx && <i>处方药</i>}
            <button
              type="button"
              className="wx-cross"
              aria-label={`移除${one.name}`}
              onClick={() => setTaken(taken.filter(({ medicineId }) => medicineId !== one.medicineId))}
            >
              ✕
            </button>
          </legend>
          <label>
            每次
            <input
              className="wx-field"
              placeholder="例如：1片"
              value={one.dose}
              onChange={(event) => change(one.medicineId, { dose: event.target.value })}
            />
          </label>
          <label>
            频次
            <select
              className="wx-field"
              value={one.frequency}
              onChange={(event) => change(one.medicineId, { frequency: event.target.value as Frequency })}
            >
              {frequencies.codes.map((code) => (
                <option key={code} value={code}>
                  {frequencies.label(code)}
                </option>
              ))}
            </select>
          </label>
          <label>
            用法
            <input className="wx-field" value={one.route} onChange={(event) => change(one.medicineId, { route: event.target.value })} />
          </label>
          <label>
            天数
            <input
              className="wx-field"
              inputMode="numeric"
              value={one.days}
              onChange={(event) => change(one.medicineId, { days: event.target.value.replaceAll(/\D/g, '') })}
            />
          </label>
          <label>
            数量（{one.unit}）
            <input
              className="wx-field"
              inputMode="numeric"
              value={one.quantity}
              onChange={(event) => change(one.medicineId, { quantity: event.target.value.replaceAll(/\D/g, '') })}
            />
          </label>
        </fieldset>
      ))}
      {taken.length < MOST && (
        <input
          className="wx-field"
          value={keyword}
          placeholder="输入药品名称或拼音首字母添加"
          aria-label="搜索药品"
          onChange={(event) => setKeyword(event.target.value)}
        />
      )}
      {keyword.trim() !== '' && (
        <ul className="wx-found">
          {found.map((medicine) => (
            <li key={medicine.medicineId}>
              <button type="button" onClick={() => add(medicine)}>
                {medicine.name}
                <span className="wx-muted">
                  {medicine.spec}
                  {medicine.isRx && ' 处方药'}
                </span>
              </button>
            </li>
          ))}
          {found.length === 0 && <li className="wx-muted">没有找到在售药品</li>}
        </ul>
      )}
      <textarea
        className="wx-field"
        rows={2}
        placeholder="备注（选填）"
        aria-label="备注"
        value={note}
        onChange={(event) => setNote(event.target.value)}
      />
      {fault && (
        <p className="wx-fault" role="alert">
          {fault}
        </p>
      )}
    </Sheet>
  );
}
