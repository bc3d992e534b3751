import { useEffect, useRef } from "react";
import { abortRequests, ask, CARDS } from "./frame";
import { asSecureError, type Payload } from "./types";

/** A question of the server's to the frame, under an id of its own; without an id there is none. */
type Question = { id?: string; type?: string; payload?: Payload };
type Outcome = { id: string; ok: boolean; value: unknown; error: { code: number; message: string; reason: string } | null };
type Props = { question?: Question; sync?: string; onAnswer?: (outcome: Outcome) => void };

/** The last ones: a question is asked once, and its answer told again to a server that has lost its socket. */
const answers = new Map<string, Promise<Outcome>>();
const KEPT = 8;

function answerOf({ id = "", type = "", payload }: Question): Promise<Outcome> {
  const known = answers.get(id);
  if (known) return known;
  const answer = ask(type, payload).then(
    (value): Outcome => ({ id, ok: true, value: value ?? null, error: null }),
    (error: unknown): Outcome => {
      const { code, message, reason } = asSecureError(error);
      return { id, ok: false, value: null, error: { code, message, reason } };
    },
  );
  answers.set(id, answer);
  for (const old of [...answers.keys()].slice(0, -KEPT)) answers.delete(old);
  return answer;
}

/** Asks the frame what the server wants of it. `sync`: changes with every connection of the socket. */
export function SecureAsk({ question = {}, sync = "", onAnswer }: Props) {
  const emit = useRef(onAnswer);
  useEffect(() => {
    emit.current = onAnswer;
  });
  useEffect(() => {
    if (!question.id) return;
    let here = true;
    void answerOf(question).then((outcome) => {
      if (here) emit.current?.(outcome);
    });
    return () => {
      here = false;
    };
  }, [question.id, sync]);
  // A card that nobody sees any more waits for nobody.
  useEffect(() => (CARDS.has(question.type ?? "") ? abortRequests : undefined), [question.id]);
  return null;
}
