"""What an agent's tools may do: profiles, rules, and the verdict on one call. Pure: it only looks where paths lead.

profiles  the built-in ones, and those of the settings    rules    Tool(pattern) and what it matches
calls     a tool call as the rules see it                 verdict  allow, ask or deny, and why
shell/    a command line taken apart                      refused  what no profile allows
"""

from holdfast.policy.calls import Call, call_of
from holdfast.policy.profiles import BUILT_IN, Policy, Profile, check_profile, policy_for, tools_of
from holdfast.policy.rules import Rule, parse, rule_for
from holdfast.policy.verdict import Verdict, decide

__all__ = [
    "BUILT_IN",
    "Call",
    "Policy",
    "Profile",
    "Rule",
    "Verdict",
    "call_of",
    "check_profile",
    "decide",
    "parse",
    "policy_for",
    "rule_for",
    "tools_of",
]
