"""What Redis does at once for `redis_states`.

Why: taking a lock and reading, and writing and giving it back, are one step each, which may be done twice.
Test: `test_each_state_that_a_handler_asks_for_is_read_by_itself`, `tests/test_redis_states.py`.
Dropped when: `redis_states` is.
"""

from typing import Final

TAKE: Final = """
local holder = redis.call('GET', KEYS[1])
if not holder then redis.call('SET', KEYS[1], ARGV[1], 'PX', ARGV[2]) elseif holder ~= ARGV[1] then return false end
return redis.call('MGET', unpack(KEYS, 2))
"""
"""Keys: the lock, those of states. Arguments: who wants the lock, for how many ms. Whoever has it already, for the answer was lost, has it."""
FINISH: Final = """
if redis.call('GET', KEYS[1]) ~= ARGV[1] then return redis.call('GET', KEYS[2]) end
local left = redis.call('TTL', KEYS[3])
for place = 4, #KEYS do redis.call('SET', KEYS[place], ARGV[place + 1], 'EX', left > 0 and left or ARGV[2]) end
if ARGV[4] == '' then redis.call('DEL', KEYS[1]) end
if #KEYS > 3 then redis.call('SETEX', KEYS[2], 60, 1) end
return left >= 0 and left < tonumber(ARGV[3]) and 2 or 1
"""
"""Keys: the lock, what remembers that its holder has finished, the root state, states that have changed.

Arguments: who holds the lock, how many seconds a session is kept, how many of them must be left, "" to give the lock back, states that have
changed, which are kept as long as the root. Does nothing for anybody else, and nothing new when it is done again, for the answer was lost.
"""
EXPIRES: Final = 2
"""What `FINISH` answers where fewer seconds are left: all states of the session have to be kept longer."""
KEEP: Final = """
for _, key in ipairs(KEYS) do redis.call('EXPIRE', key, ARGV[1]) end
"""
"""Keys: all states of a session, of which some may not be there. Arguments: for how many seconds they are kept from now on."""
