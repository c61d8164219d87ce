import { useState } from 'react';
import { Button } from 'antd';
import { useKeys } from '#kernel/web/keyboard/keys.ts';
import { TextInput } from '#kernel/web/kit/TextInput.tsx';
import { Dict } from '#kernel/web/kit/values.tsx';
import { humanVerdicts, machineResults, type HumanVerdict } from '../../contract/applyDictionaries.ts';
import type { ApplyCheck } from '../../contract/calls/applies.ts';

interface CheckListProps {
  checks: readonly ApplyCheck[];
  editable: boolean;
  onJudge(code: string, change: Partial<Pick<ApplyCheck, 'humanVerdict' | 'humanNote'>>): void;
}
const KEYS: Readonly<Record<HumanVerdict, string>> = { AGREE: 'P', OVERRIDE: 'O', FAIL: 'F' };
const isOpen = ({ machineResult, humanVerdict }: ApplyCheck) => machineResult !== 'PASS' && humanVerdict === null;

function progressOf(checks: readonly ApplyCheck[]): string {
  if (checks.length === 0) return '提交后自动校验';
  const open = checks.filter(isOpen).length;
  return open > 0 ? `还有${open}项未给出结论` : '全部已给出结论';
}

/** What the machine found and what people answer: J and K choose an item, P O F judge it. */
export function CheckList({ checks, editable, onJudge }: CheckListProps) {
  const firstOpen = Math.max(0, checks.findIndex(isOpen));
  const [chosen, setChosen] = useState<number | null>(null);
  const at = Math.min(chosen ?? firstOpen, Math.max(0, checks.length - 1));
  const judge = (check: ApplyCheck | undefined, humanVerdict: HumanVerdict) => {
    if (!check) return;
    onJudge(check.checkCode, { humanVerdict });
    const next = checks.findIndex((one, index) => index > checks.indexOf(check) && isOpen(one));
    if (next >= 0 && humanVerdict === 'AGREE') setChosen(next);
  };
  useKeys([
    { keys: 'J', label: '下一个要点', act: () => setChosen(Math.min(checks.length - 1, at + 1)) },
    { keys: 'K', label: '上一个要点', act: () => setChosen(Math.max(0, at - 1)) },
    ...(editable
      ? humanVerdicts.codes.map((code) => ({ keys: KEYS[code], label: humanVerdicts.label(code), act: () => judge(checks[at], code) }))
      : []),
  ]);
  return (
    <section className="kq-section">
      <h3>
        审核要点 <span className="kq-muted">{progressOf(checks)}</span>
      </h3>
      <ol className="enr-checks">
        {checks.map((check, index) => (
          <li key={check.checkCode} aria-current={index === at} onClick={() => setChosen(index)}>
            {check.machineResult ? <Dict of={machineResults} code={check.machineResult} /> : <span className="kq-muted">人工</span>}
            <span>
              <b>{check.question}</b>
              {check.hard && <em>必过</em>}
              {check.explain && <small>{check.explain}</small>}
              {(check.humanVerdict === 'OVERRIDE' || check.humanVerdict === 'FAIL') && editable && (
                <TextInput
                  size="small"
                  most={200}
                  aria-label={`${check.question}说明`}
                  placeholder={check.humanVerdict === 'OVERRIDE' ? '破例理由（必填）' : '说明'}
                  value={check.humanNote}
                  onChange={({ target }) => onJudge(check.checkCode, { humanNote: target.value })}
                />
              )}
              {!editable && check.humanNote && <small>{check.humanNote}</small>}
            </span>
            {editable ? (
              <span role="group" aria-label={`${check.question}结论`}>
                {humanVerdicts.codes.map((code) => (
                  <Button
                    key={code}
                    size="small"
                    type={check.humanVerdict === code ? 'primary' : 'default'}
                    aria-pressed={check.humanVerdict === code}
                    title={`${humanVerdicts.label(code)}（${KEYS[code]}）`}
                    onClick={() => judge(check, code)}
                  >
                    {humanVerdicts.label(code)}
                  </Button>
                ))}
              </span>
            ) : (
              check.humanVerdict && <Dict of={humanVerdicts} code={check.humanVerdict} />
            )}
          </li>
        ))}
      </ol>
    </section>
  );
}
