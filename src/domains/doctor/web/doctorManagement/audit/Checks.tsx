import { Button } from 'antd';
import { useEffect, useRef } from 'react';
import { useCaseState } from '#kernel/web/audit/caseState.ts';
import { useKeys } from '#kernel/web/keyboard/keys.ts';
import { Dict } from '#kernel/web/kit/values.tsx';
import { checkCodes, humanVerdicts, machineResults } from '../../../contract/dictionaries.ts';
import type { QualCheckRow } from '../../../contract/calls/qual.ts';
import { TextInput } from '#kernel/web/kit/TextInput.tsx';
import { leaveField } from './Comparison.tsx';

type Verdict = NonNullable<QualCheckRow['humanVerdict']>;
const keys: Readonly<Record<Verdict, string>> = { AGREE: 'G', OVERRIDE: 'O', FAIL: 'F' };

interface ChecksProps {
  caseId: string;
  checks: readonly QualCheckRow[];
  editable: boolean;
  onJudge(codes: readonly string[], change: Partial<Pick<QualCheckRow, 'humanVerdict' | 'note'>>): void;
}

/** What the machine found of each check, and the auditor's verdict. ↑↓ chooses a check, G O F judge it, Y agrees to all that pass. */
export function Checks({ caseId, checks, editable, onJudge }: ChecksProps) {
  const [at, setAt] = useCaseState(caseId, 0);
  const list = useRef<HTMLOListElement>(null);
  useEffect(() => {
    if (at > 0) list.current?.children[at]?.scrollIntoView({ block: 'nearest' });
  }, [at]);
  const notes = useRef(new Map<string, HTMLInputElement | null>());
  const move = (to: number) => setAt(Math.max(0, Math.min(checks.length - 1, to)));
  const judge = (check: QualCheckRow | undefined, humanVerdict: Verdict) => {
    if (!check) return;
    onJudge([check.checkCode], { humanVerdict });
    // The reason is asked for where it is needed; otherwise on to the next open check.
    if (humanVerdict === 'OVERRIDE') return void setTimeout(() => notes.current.get(check.checkCode)?.focus());
    const next = checks.findIndex(({ humanVerdict: given }, index) => index > checks.indexOf(check) && given === null);
    if (next >= 0) setAt(next);
  };
  const harmless = checks.filter(
    ({ machineResult, hard, humanVerdict }) => humanVerdict === null && (machineResult === 'PASS' || (!hard && machineResult !== 'FAIL')),
  );
  const agreeAll = () =>
    onJudge(
      harmless.map(({ checkCode }) => checkCode),
      { humanVerdict: 'AGREE' },
    );
  const open = checks.filter(({ humanVerdict }) => humanVerdict === null).length;
  useKeys(
    editable
      ? [
          { keys: 'ArrowDown', label: '下一个要点', act: () => move(at + 1) },
          { keys: 'ArrowUp', label: '上一个要点', act: () => move(at - 1) },
          ...humanVerdicts.codes.map((code) => ({
            keys: keys[code],
            label: humanVerdicts.label(code),
            act: () => judge(checks[at], code),
          })),
          { keys: 'Y', label: '认可全部无异常要点', act: agreeAll },
        ]
      : [],
  );
  return (
    <section>
      <h3 className="dq-head">
        审核要点{editable && <span className="kq-muted">{open > 0 ? `还有${open}项未给出结论` : '全部已给出结论'}</span>}
        {editable && (
          <Button size="small" disabled={harmless.length === 0} onClick={agreeAll}>
            认可无异常项 Y
          </Button>
        )}
      </h3>
      <ol className="dq-checks" ref={list}>
        {checks.map((check, index) => (
          <li key={check.checkCode} aria-current={editable && index === at} data-result={check.machineResult} onClick={() => setAt(index)}>
            <div className="dq-check">
              <Dict of={machineResults} code={check.machineResult} />
              <span>
                <b>{checkCodes.label(check.checkCode)}</b>
                {check.hard && <em>必过</em>}
                <small>{check.explain}</small>
              </span>
              {editable ? (
                <span className="dq-verdicts">
                  {humanVerdicts.codes.map((code) => (
                    <button
                      key={code}
                      type="button"
                      data-verdict={code}
                      onClick={() => judge(check, code)}
                      aria-pressed={check.humanVerdict === code}
                      title={`${humanVerdicts.label(code)}（${keys[code]}）`}
                    >
                      {humanVerdicts.label(code)}
                    </button>
                  ))}
                </span>
              ) : (
                <Dict of={humanVerdicts} code={check.humanVerdict} />
              )}
            </div>
            {editable && check.humanVerdict !== null && check.humanVerdict !== 'AGREE' && (
              <TextInput
                size="small"
                most={200}
                ref={(field) => {
                  notes.current.set(check.checkCode, field?.input ?? null);
                }}
                placeholder={check.humanVerdict === 'OVERRIDE' ? '破例理由（必填）' : '说明'}
                status={check.humanVerdict === 'OVERRIDE' && !check.note.trim() ? 'error' : ''}
                value={check.note}
                onChange={(event) => onJudge([check.checkCode], { note: event.target.value })}
                onKeyDown={leaveField}
              />
            )}
            {!editable && check.note && <p className="kq-muted dq-line">理由：{check.note}</p>}
          </li>
        ))}
      </ol>
    </section>
  );
}
