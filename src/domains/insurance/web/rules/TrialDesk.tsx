import { Button, Select } from 'antd';
import { useEffect, useMemo, useRef, useState } from 'react';
import type { AnswerOf } from '#kernel/contract/call.ts';
import { send } from '#kernel/web/http/client.ts';
import { useData } from '#kernel/web/http/queries.ts';
import { failureText, RefusalError } from '#kernel/web/http/refusal.ts';
import { queryTrialRiders, trialAdjudicate } from '../../contract/claimRules/trial.ts';
import { queryTestCaseList } from '../../contract/tests/calls.ts';
import type { ClaimRulesSeen } from './seen.ts';
import { TrialForm } from './TrialForm.tsx';
import { blankInput } from './trialInput.ts';
import { Waterfall } from './Waterfall.tsx';
import '../shared/sheet.css';

/** A claim tried on the version: nothing is written. */
export function TrialDesk({ seen }: { seen: ClaimRulesSeen }) {
  const productVersionId = seen.version.id;
  const [input, setInput] = useState(() => blankInput(seen));
  const [result, setResult] = useState<AnswerOf<typeof trialAdjudicate> | null>(null);
  const [fault, setFault] = useState<string | null>(null);
  const [busy, setBusy] = useState(false);
  const [rider, setRider] = useState<{ productVersionId: string; planCode: string } | null>(null);
  const { data: cases } = useData(queryTestCaseList, { productVersionId }, { quiet: true });
  const { data: riders } = useData(queryTrialRiders, { productVersionId }, { quiet: true });
  const names = useMemo(
    () =>
      new Map([
        ...seen.plans.map(({ planCode, planName }) => [planCode, planName] as const),
        ...seen.benefits.map(({ benefitCode, benefitName }) => [benefitCode, benefitName] as const),
        ...seen.groups.map(({ groupCode, groupName }) => [groupCode, groupName] as const),
      ]),
    [seen],
  );
  const shown = useRef<HTMLDivElement>(null);
  useEffect(() => {
    // On a narrow screen the result stands below the form.
    if (result && (shown.current?.getBoundingClientRect().top ?? 0) > window.innerHeight / 2) shown.current?.scrollIntoView();
  }, [result]);
  const run = async () => {
    const empty = input.lines.find(({ medicineId }) => medicineId === '');
    if (empty) {
      setFault(`请选择第${empty.lineNo}行的药品`);
      return;
    }
    setBusy(true);
    setFault(null);
    try {
      setResult(await send(trialAdjudicate, { productVersionId, input, ...(rider && { rider }) }, { quiet: true }));
    } catch (error) {
      setResult(null);
      setFault(error instanceof RefusalError ? (error.fields[0]?.message ?? failureText(error)) : failureText(error));
    } finally {
      setBusy(false);
    }
  };
  return (
    <div className="ins-trial">
      <TrialForm seen={seen} value={input} onChange={setInput}>
        {riders !== undefined && riders.length > 0 && (
          <p>
            <Select
              aria-label="续赔的附加产品"
              className="kq-wide"
              allowClear
              placeholder="不带附加产品"
              value={rider ? `${rider.productVersionId}:${rider.planCode}` : null}
              options={riders.flatMap((one) =>
                one.plans.map(({ planCode, planName }) => ({
                  value: `${one.productVersionId}:${planCode}`,
                  label: `${one.productName} V${one.versionNo} ${planName}（${one.overflow ? '续赔' : '单独赔付'}）`,
                })),
              )}
              onChange={(next?: string) => {
                const [id, planCode] = (next ?? '').split(':');
                setRider(id && planCode ? { productVersionId: id, planCode } : null);
              }}
            />
          </p>
        )}
        {cases !== undefined && cases.length > 0 && (
          <p>
            <Select
              aria-label="填入测试用例"
              className="kq-wide"
              placeholder="填入测试用例"
              value={null}
              options={cases.map((one) => ({ value: one.id, label: one.caseName }))}
              onChange={(id: string | null) => {
                const found = cases.find((one) => one.id === id);
                if (found) setInput(found.input);
              }}
            />
          </p>
        )}
        <Button type="primary" loading={busy} onClick={() => void run()}>
          试算
        </Button>
        {fault !== null && (
          <p className="ins-refused" role="alert">
            {fault}
          </p>
        )}
      </TrialForm>
      <div ref={shown}>
        {result ? (
          <>
            <Waterfall title={`${seen.productName} V${result.versionNo}`} result={result} names={names} />
            {result.rider && (
              <>
                <Waterfall title={`${result.rider.productName}${result.rider.overflow ? '（续赔）' : ''}`} result={result.rider.result} />
                <p className="ins-total">
                  合计应赔 <strong>{((result.payableFen + result.rider.result.payableFen) / 100).toFixed(2)}</strong>元
                </p>
              </>
            )}
          </>
        ) : (
          <p className="kq-empty">填写左侧内容后点击“试算”，这里显示逐步的赔付计算过程</p>
        )}
      </div>
    </div>
  );
}
