import { Button, Input } from 'antd';
import { useState } from 'react';
import type { OutputOf } from '#kernel/contract/call.ts';
import type { DraftGroup } from '#kernel/contract/rules/groups.ts';
import { useCommand } from '#kernel/web/http/queries.ts';
import type { CapSpec, ControlMode } from '../../contract/adjudication/spec.ts';
import { trialControlRule } from '../../contract/controls/trial.ts';
import { ruleVariable } from '../../contract/rules/variables.ts';
import { storedFact, variablesIn } from '../../contract/rules/yuanText.ts';

export interface RuleDraft {
  mode: ControlMode;
  expression: DraftGroup;
  cap: CapSpec | null;
}

const marks = { TRUE: ['✓', 'control-held'], FALSE: ['✗', 'control-not'], UNKNOWN: ['？', 'control-unknown'] } as const;

const hints: Partial<Record<string, string>> = { SET: '多个值用逗号分隔', BOOL: '1 是，0 否' };

/** What the rule on the page would say to facts that somebody types. */
export function DryRun({ moduleId, draft }: { moduleId: string; draft: RuleDraft }) {
  const [facts, setFacts] = useState<Readonly<Record<string, string>>>({});
  const [result, setResult] = useState<OutputOf<typeof trialControlRule> | null>(null);
  const trial = useCommand(trialControlRule, { onSuccess: ({ data }) => setResult(data), blockMs: 300 });
  const codes = [...new Set([...variablesIn(draft.expression), ...(draft.cap?.variable ? [draft.cap.variable] : [])])];
  const run = () =>
    trial.run({
      moduleId,
      mode: draft.mode,
      expression: draft.expression,
      cap: draft.mode === 'CAP' ? draft.cap : null,
      facts: Object.fromEntries(codes.map((code) => [code, storedFact(code, facts[code] ?? '')])),
    });
  return (
    <section className="control-panel">
      <h3>试运行</h3>
      {codes.length === 0 ? (
        <p className="control-note">先在左侧选择条件变量，再填写取值试运行。</p>
      ) : (
        <div className="control-facts">
          {codes.map((code) => {
            const variable = ruleVariable(code);
            return (
              <label key={code} style={{ display: 'contents' }}>
                <span>{variable?.name ?? code}</span>
                <Input
                  size="small"
                  value={facts[code] ?? ''}
                  placeholder={(variable && hints[variable.kind]) ?? '不填表示缺少'}
                  suffix={variable?.unit ? variable.unit : <span />}
                  onChange={(event) => setFacts({ ...facts, [code]: event.target.value })}
                />
              </label>
            );
          })}
        </div>
      )}
      <Button size="small" disabled={codes.length === 0 || trial.busy} onClick={() => void run()}>
        试运行
      </Button>
      {result && (
        <div role="status">
          <p className="control-sentence">
            结果：<strong>{result.text}</strong>
            {result.capText !== '' && `（${result.capText}）`}
          </p>
          <ul className="control-seen">
            {result.conditions.map(({ path, text, seen, truth }) => (
              <li key={path}>
                <span className={marks[truth][1]}>{marks[truth][0]}</span>
                <span>{text}</span>
                <span>{seen === null ? '缺少' : `实际 ${seen}`}</span>
              </li>
            ))}
          </ul>
        </div>
      )}
    </section>
  );
}
