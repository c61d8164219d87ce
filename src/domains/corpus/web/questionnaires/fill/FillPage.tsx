import { useEffect, useRef, useState } from 'react';
import { RefusalError } from '#kernel/web/http/refusal.ts';
import type { AnswerOf } from '#kernel/contract/call.ts';
import { queryByToken, submitAnswer } from '../../../contract/questionnaires/calls.ts';
import type { Answers } from '../../../contract/questionnaires/content.ts';
import { FormView } from '../FormView.tsx';
import { sendForm } from './sendForm.ts';
import './fill.css';

const THANKS = '感谢您的填写';
const RETRY = '网络异常，请稍后重试';
const PREFIX = 'answers.';

const textOf = (error: unknown): string => (error instanceof RefusalError ? error.message : RETRY);
const keyOf = (path: string): string => path.slice(PREFIX.length);

/** A questionnaire behind its link; a link that opens nothing says why in its place. */
export function FillPage({ token }: { token: string }) {
  const [form, setForm] = useState<AnswerOf<typeof queryByToken> | null>(null);
  const [said, setSaid] = useState<string | null>(null);
  const [answers, setAnswers] = useState<Answers>({});
  const [faults, setFaults] = useState<Readonly<Record<string, string>>>({});
  const [trouble, setTrouble] = useState<string | null>(null);
  const [sending, setSending] = useState(false);
  const began = useRef(0);
  useEffect(() => {
    let gone = false;
    sendForm(queryByToken, { token })
      .then((opened) => {
        if (gone) return;
        began.current = Date.now();
        document.title = opened.title;
        setForm(opened);
      })
      .catch((error: unknown) => {
        if (!gone) setSaid(textOf(error));
      });
    return () => {
      gone = true;
    };
  }, [token]);

  const submit = async () => {
    setSending(true);
    setTrouble(null);
    try {
      const seconds = Math.min(86_400, Math.round((Date.now() - began.current) / 1000));
      await sendForm(submitAnswer, { token, answers, seconds });
      setSaid(THANKS);
    } catch (error) {
      const wrong = error instanceof RefusalError ? error.fields.filter(({ path }) => path.startsWith(PREFIX)) : [];
      setFaults(Object.fromEntries(wrong.map(({ path, message }) => [keyOf(path), message])));
      if (wrong[0]) document.getElementById(`question-${keyOf(wrong[0].path)}`)?.scrollIntoView({ block: 'center' });
      // Answered elsewhere or too late: there is nothing left to fill.
      else if (error instanceof RefusalError) setSaid(error.message);
      else setTrouble(RETRY);
    } finally {
      setSending(false);
    }
  };

  if (said !== null)
    return (
      <main className="kq-fill">
        <p className="kq-fill-said" role="status">
          {said}
        </p>
      </main>
    );
  if (!form) return <main className="kq-fill" aria-busy="true" />;
  return (
    <main className="kq-fill">
      <h1>{form.title}</h1>
      <FormView
        questions={form.questions}
        answers={answers}
        faults={faults}
        onChange={(next) => {
          setAnswers(next);
          setFaults({});
        }}
      />
      {trouble && (
        <p className="kq-form-fault" role="alert">
          {trouble}
        </p>
      )}
      <button type="button" className="kq-fill-send" disabled={sending} onClick={() => void submit()}>
        提交
      </button>
    </main>
  );
}
