import type { AdjudicationResult } from '../../contract/adjudication/result.ts';
import { adjudicationOutcomes, waterfallSteps } from '../../contract/adjudication/result.ts';
import { materialTypes, type MaterialType } from '../../contract/businessLines.ts';
import { percent } from '../../contract/model/words.ts';
import { factName } from '../../contract/rules/variables.ts';
import { quantityText } from '../../contract/formulary/quantity.ts';
import { Dict, Money } from '#kernel/web/kit/values.tsx';
import { moveWords } from './moveWords.ts';
import './rules.css';

interface WaterfallProps {
  result: AdjudicationResult;
  title: string;
  /** Names behind the codes of plans, benefits and shared purses, where the page knows them. */
  names?: ReadonlyMap<string, string>;
}

const isMaterial = (code: string): code is MaterialType => materialTypes.codes.some((known) => known === code);

/** What a claim is paid, line by line and step by step, to the fen, each step with its sentence. */
export function Waterfall({ result, title, names }: WaterfallProps) {
  const medicines = new Map(result.lines.map(({ medicineId, medicineName }) => [medicineId, medicineName]));
  const benefits = new Map(result.lines.map(({ benefitCode, benefitName }) => [benefitCode ?? '', benefitName ?? '']));
  const nameOf = (code: string) => names?.get(code) || benefits.get(code) || medicines.get(code) || code;
  return (
    <section aria-label={title}>
      <div className="ins-total">
        <b>{title}</b>
        <span>
          申报 <Money fen={result.claimedFen} />元
        </span>
        <span>
          应赔{' '}
          <strong data-testid="payable">
            <Money fen={result.payableFen} />
          </strong>
          元
        </span>
        <Dict of={adjudicationOutcomes} code={result.outcome} />
      </div>
      {result.materials.length > 0 && (
        <p>需补材料：{result.materials.map((code) => (isMaterial(code) ? materialTypes.label(code) : code)).join('、')}</p>
      )}
      {result.lines.map((line) => (
        <table className="kq-facts-table ins-waterfall" key={line.lineNo} aria-label={`第${line.lineNo}行赔付计算过程`}>
          <caption>
            第{line.lineNo}行 {line.medicineName} · {line.benefitName ?? '无适用责任'} · 计入数量{quantityText(line.qtyMilli)}
            {line.rateBp === null ? '' : ` · 比例${percent(line.rateBp)}`} · 应赔 <Money fen={line.payableFen} />元{' '}
            <Dict of={adjudicationOutcomes} code={line.outcome} />
          </caption>
          <thead>
            <tr>
              <th scope="col">步骤</th>
              <th scope="col">之前（元）</th>
              <th scope="col">减少（元）</th>
              <th scope="col">之后（元）</th>
              <th scope="col">占申报</th>
              <th scope="col">说明</th>
            </tr>
          </thead>
          <tbody>
            {line.steps.map((step) => (
              <tr key={step.code} className={step.cut === 0 ? 'ins-quiet' : ''}>
                <td>
                  {step.code} {waterfallSteps.label(step.code)}
                </td>
                <td className="ins-number">
                  <Money fen={step.before} />
                </td>
                <td className="ins-number">
                  <Money fen={step.cut} />
                </td>
                <td className="ins-number">
                  <Money fen={step.after} />
                </td>
                <td>
                  <span className="ins-bar" aria-hidden>
                    <i style={{ width: `${line.amountFen === 0 ? 0 : (step.after * 100) / line.amountFen}%` }} />
                    <b style={{ width: `${line.amountFen === 0 ? 0 : (step.cut * 100) / line.amountFen}%` }} />
                  </span>
                </td>
                <td>{step.text}</td>
              </tr>
            ))}
          </tbody>
          <tfoot>
            {line.missing.length > 0 && (
              <tr>
                <td colSpan={6}>缺少变量，该行挂起：{line.missing.map(factName).join('、')}</td>
              </tr>
            )}
            {line.reasons.length > 0 && (
              <tr>
                <td colSpan={6}>原因：{line.reasons.map(({ code, wording }) => `${code} ${wording}`).join('；')}</td>
              </tr>
            )}
          </tfoot>
        </table>
      ))}
      {result.rules.length > 0 && (
        <p>
          命中规则：
          {result.rules
            .map(
              (rule) =>
                `${rule.ruleName}（${rule.ruleCode}，第${rule.lineNos.join('、')}行${rule.missing.length > 0 ? '，缺少变量' : ''}）`,
            )
            .join('；')}
        </p>
      )}
      {result.moves.length > 0 && (
        <table className="kq-facts-table">
          <thead>
            <tr>
              <th scope="col">占用额度</th>
              <th scope="col">期间</th>
              <th scope="col">变动</th>
            </tr>
          </thead>
          <tbody>
            {result.moves.map((move) => (
              <tr key={`${move.key}:${move.subjectId}`}>
                <td>{moveWords(move.key, nameOf)}</td>
                <td>{move.period === 'LIFE' ? '终身' : `${move.period}起保单年度`}</td>
                <td className="ins-number">{move.key.startsWith('CNT:') ? `${move.delta}次` : <Money fen={move.delta} />}</td>
              </tr>
            ))}
          </tbody>
        </table>
      )}
    </section>
  );
}
