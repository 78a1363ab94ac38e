import { useSuspenseQuery } from "@tanstack/react-query";
import { useState } from "react";
import { mayChange, sessionQuery } from "../api/session.ts";
import { Confirm, type Question } from "./confirm.tsx";

type DeleteButtonProps = Pick<Question, "lead" | "work" | "afterwards"> & {
  /** What it deletes, such as `job`. */
  noun: string;
};

/** Deletes a thing that has ended, for those who may; asks before. */
export function DeleteButton({ noun, ...rest }: DeleteButtonProps) {
  const { data: session } = useSuspenseQuery(sessionQuery);
  const [question, setQuestion] = useState<Question>();
  if (!mayChange(session.role)) return null;

  const ask = () => setQuestion({ title: `Delete this ${noun}?`, verb: "Delete for good", ...rest });

  return (
    <>
      <button type="button" className="button danger" onClick={ask}>
        Delete {noun}
      </button>
      <Confirm question={question} onClose={() => setQuestion(undefined)} />
    </>
  );
}
