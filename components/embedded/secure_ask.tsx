import { useEffect, useRef, useState } from "react";
import { t } from "$/public/external/walletmodal/components/language/language/language.ts";
import { abortRequests, ask, CARDS, reloadUnready } from "./frame";
import { asSecureError, type Payload } from "./types";
import "./embedded.css";

/** A question of the server's to the frame, under an id of its own; without an id there is none. */
type Question = { id?: string; type?: string; payload?: Payload };
type Outcome = { id: string; ok: boolean; value: unknown; error: { code: number; message: string; reason: string } | null };
type Asked = { outcome: Promise<Outcome>; again(): void };
type Props = {
  question?: Question;
  sync?: string;
  /** What the visitor is told of an answer that is long in coming; nothing without it. */
  slow?: string;
  onAnswer?: (outcome: Outcome) => void;
};

/** From when on an answer is long in coming, ms. */
export const SLOW_MS = 8_000;
/** The last ones: a question is asked once, and its answer told again to a server that has lost its socket. */
const questions = new Map<string, Asked>();
const KEPT = 8;

function asked({ id = "", type = "", payload }: Question): Asked {
  const known = questions.get(id);
  if (known) return known;
  let open = 0;
  let again = (): void => undefined;
  const outcome = new Promise<Outcome>((tell) => {
    again = () => {
      open++;
      ask(type, payload).then(
        (value) => tell({ id, ok: true, value: value ?? null, error: null }),
        (error: unknown) => {
          // While another try goes on nothing has failed.
          if (--open) return;
          const { code, message, reason } = asSecureError(error);
          tell({ id, ok: false, value: null, error: { code, message, reason } });
        },
      );
    };
  });
  again();
  questions.set(id, { outcome, again });
  for (const old of [...questions.keys()].slice(0, -KEPT)) questions.delete(old);
  return { outcome, again };
}

/** Asks the frame what the server wants of it. `sync`: changes with every connection of the socket. */
export function SecureAsk({ question = {}, sync = "", slow = "", onAnswer }: Props) {
  const emit = useRef(onAnswer);
  const [tries, setTries] = useState(0);
  const [late, setLate] = useState(false);
  useEffect(() => {
    emit.current = onAnswer;
  });
  useEffect(() => {
    if (!question.id) return;
    let here = true;
    void asked(question).outcome.then((outcome) => {
      if (here) emit.current?.(outcome);
    });
    return () => {
      here = false;
    };
  }, [question.id, sync]);
  useEffect(() => {
    if (!slow || !question.id) return;
    const timer = setTimeout(() => setLate(true), SLOW_MS);
    const end = (): void => {
      clearTimeout(timer);
      setLate(false);
    };
    void asked(question).outcome.then(end);
    return end;
  }, [question.id, tries]);
  // A card that nobody sees any more waits for nobody.
  useEffect(() => (CARDS.has(question.type ?? "") ? abortRequests : undefined), [question.id]);
  if (!late) return null;
  const again = (): void => {
    reloadUnready();
    asked(question).again();
    setTries(tries + 1);
  };
  return (
    <p className="wm-slow" role="status" data-testid="secure-slow">
      {slow}
      <button type="button" className="wm-link" data-testid="secure-retry" onClick={again}>
        {t("Try again")}
      </button>
    </p>
  );
}
