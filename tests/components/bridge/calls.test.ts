import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { AGAIN, answered, AWAY, begin, heard, noteAway, PATIENCE, repeat } from "$/public/external/walletmodal/components/bridge/bridge/calls.ts";

const send = vi.fn();
const giveUp = vi.fn();

beforeEach(() => {
  vi.useFakeTimers();
  send.mockReset();
  giveUp.mockReset();
});

afterEach(() => {
  noteAway(false);
  answered("1");
  vi.useRealTimers();
});

it("what the server has not heard of is sent again", () => {
  begin("1", send, giveUp);
  vi.advanceTimersByTime(AGAIN);
  expect(send).toHaveBeenCalledTimes(2);
});

it("each time it says how long somebody still waits", () => {
  begin("1", send, giveUp);
  vi.advanceTimersByTime(AGAIN);
  vi.advanceTimersByTime(AGAIN / 2);
  repeat([]);
  expect(send.mock.calls).toEqual([[PATIENCE], [PATIENCE - AGAIN], [PATIENCE - AGAIN * 1.5]]);
});

it("what the server has not heard of is given up within eight seconds", () => {
  begin("1", send, giveUp);
  vi.advanceTimersByTime(PATIENCE);
  expect(giveUp).toHaveBeenCalledTimes(1);
});

it("what was given up is not sent any more", () => {
  begin("1", send, giveUp);
  vi.advanceTimersByTime(PATIENCE);
  const before = send.mock.calls.length;
  repeat([]);
  vi.advanceTimersByTime(AWAY);
  expect(send).toHaveBeenCalledTimes(before);
});

it("a server that has taken what was given up is told that nobody waits", () => {
  begin("1", send, giveUp);
  vi.advanceTimersByTime(PATIENCE);
  send.mockReset();
  heard(["1"]);
  expect(send.mock.calls).toEqual([[0]]);
});

it("so it is when the server had heard of it, and was away for a minute", () => {
  begin("1", send, giveUp);
  heard(["1"]);
  noteAway(true);
  vi.advanceTimersByTime(AWAY);
  send.mockReset();
  heard(["1"]);
  expect(send.mock.calls).toEqual([[0]]);
});

it("of what is asked for again under the same id, somebody waits", () => {
  begin("1", send, giveUp);
  vi.advanceTimersByTime(PATIENCE);
  begin("1", send, giveUp);
  send.mockReset();
  heard(["1"]);
  expect(send).not.toHaveBeenCalled();
});

it("what is answered is neither sent again nor given up", () => {
  begin("1", send, giveUp);
  answered("1");
  vi.advanceTimersByTime(AWAY);
  expect([send.mock.calls.length, giveUp.mock.calls.length]).toEqual([1, 0]);
});

it("what waits for the visitor waits as long as the server is there", () => {
  begin("1", send, giveUp);
  heard(["1"]);
  vi.advanceTimersByTime(10 * AWAY);
  expect([send.mock.calls.length, giveUp.mock.calls.length]).toEqual([1, 0]);
});

it("what waits for the visitor is given up when the server has been away for a minute", () => {
  begin("1", send, giveUp);
  heard(["1"]);
  noteAway(true);
  vi.advanceTimersByTime(AWAY - 1);
  expect(giveUp).not.toHaveBeenCalled();
  vi.advanceTimersByTime(1);
  expect(giveUp).toHaveBeenCalledTimes(1);
});

it("further attempts to connect that fail do not begin the minute anew", () => {
  begin("1", send, giveUp);
  heard(["1"]);
  noteAway(true);
  vi.advanceTimersByTime(AWAY / 2);
  noteAway(true);
  vi.advanceTimersByTime(AWAY / 2);
  expect(giveUp).toHaveBeenCalledTimes(1);
});

it("a server that is back in time finds who waits", () => {
  begin("1", send, giveUp);
  heard(["1"]);
  noteAway(true);
  vi.advanceTimersByTime(AWAY - 1);
  noteAway(false);
  vi.advanceTimersByTime(AWAY);
  expect(giveUp).not.toHaveBeenCalled();
});

it("what the server had heard of is sent again over a new socket, and given up when it does not hear of it now", () => {
  begin("1", send, giveUp);
  heard(["1"]);
  vi.advanceTimersByTime(AWAY);
  repeat([]);
  expect(send).toHaveBeenCalledTimes(2);
  vi.advanceTimersByTime(PATIENCE);
  expect(giveUp).toHaveBeenCalledTimes(1);
});

it("what the server still knows over a new socket is left to it", () => {
  begin("1", send, giveUp);
  heard(["1"]);
  repeat(["1"]);
  vi.advanceTimersByTime(AWAY);
  expect([send.mock.calls.length, giveUp.mock.calls.length]).toEqual([1, 0]);
});

it("a new socket does not give more time to what was not heard of before", () => {
  begin("1", send, giveUp);
  vi.advanceTimersByTime(PATIENCE - AGAIN);
  repeat([]);
  vi.advanceTimersByTime(AGAIN);
  expect(giveUp).toHaveBeenCalledTimes(1);
});

it("says whether somebody waited", () => {
  begin("1", send, giveUp);
  expect([answered("1"), answered("1")]).toEqual([true, false]);
});
